// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: concat: the arrays have one element type
#include <sinter/sinter.hpp>

auto f(sinter::Array<float> x, sinter::Array<double> y) {
#ifdef SINTER_BAD
    return sinter::concat(x, y);
#else
    return sinter::concat(x, x);
#endif
}
