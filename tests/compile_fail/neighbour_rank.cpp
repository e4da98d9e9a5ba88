// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: a neighbour is named by one offset an axis
#include <sinter/sinter.hpp>

auto f(sinter::Array<float, 2> a) {
#ifdef SINTER_BAD
    return sinter::stencil([](auto s) { return s(-1) + s(1); }, sinter::boundary::clamp, a);
#else
    return sinter::stencil([](auto s) { return s(-1, 0) + s(1, 0); }, sinter::boundary::clamp, a);
#endif
}
