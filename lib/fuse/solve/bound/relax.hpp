// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fuse/solve/problem/relations.hpp"

namespace sinter::fuse::solve {

/// A problem with the same terms, of other weights, that has no reads in several orders and no feasible clustering of which
/// costs more.
Problem relax(Problem problem, const Relations& relations);

}  // namespace sinter::fuse::solve
