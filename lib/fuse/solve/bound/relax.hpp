// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fuse/solve/problem/relations.hpp"

namespace sinter::fuse::solve {

/// A problem with the same terms, but other weights and no reads in several orders. No feasible clustering costs more in it.
Problem relax(Problem problem, const Relations& relations);

}  // namespace sinter::fuse::solve
