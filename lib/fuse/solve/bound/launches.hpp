// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How many clusters there are, as terms.
#pragma once

#include "fuse/solve/problem/problem.hpp"

namespace sinter::fuse::solve {

/// A problem without launches that costs the same: terms weigh more, and there may be more of them, behind those that were
/// there. Linear in the members of terms.
Problem with_launches_as_terms(Problem problem);

}  // namespace sinter::fuse::solve
