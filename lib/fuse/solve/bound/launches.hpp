// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Expresses the number of clusters by terms.
#pragma once

#include "fuse/solve/problem/problem.hpp"

namespace sinter::fuse::solve {

/// A problem without launches that has the same cost: terms weigh more, and new ones may follow the existing ones. Linear in
/// the members of terms.
Problem with_launches_as_terms(Problem problem);

}  // namespace sinter::fuse::solve
