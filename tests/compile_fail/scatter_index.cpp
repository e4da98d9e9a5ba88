// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: scatter: an index is an integer for a destination of rank 1, else a tuple of one integer per axis of it
#include <sinter/sinter.hpp>

auto f(sinter::Array<float, 2> dest, sinter::Array<int> i, sinter::Array<float> x) {
#ifdef SINTER_BAD
    return sinter::scatter(dest, i, x);
#else
    return sinter::scatter(dest, sinter::zip(i, i), x);
#endif
}
