// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: stencil: with boundary::keep the function gives elements of the array's type
#include <sinter/sinter.hpp>

auto f(sinter::Array<float> x) {
#ifdef SINTER_BAD
    return sinter::stencil([](auto s) { return sinter::cast<double>(s(-1)); }, sinter::boundary::keep, x);
#else
    return sinter::stencil([](auto s) { return s(-1) * 0.5; }, sinter::boundary::keep, x);
#endif
}
