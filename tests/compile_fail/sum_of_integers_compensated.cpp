// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of integers have no rounding errors.
// expect: sum: integers are added exactly, so write sum\(a\): pairwise and compensated are for floats
#include <sinter/sinter.hpp>

using namespace sinter;

auto total(Delayed<int> a) {
#ifdef SINTER_BAD
    return sum(a, compensated);
#else
    return sum(a);
#endif
}
