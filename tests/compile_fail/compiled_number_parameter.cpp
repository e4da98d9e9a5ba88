// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of a compiled function are Delayed and Exp.
// expect: write Exp<float> instead of float
#include <sinter/sinter.hpp>

using namespace sinter;

auto f() {
#ifdef SINTER_BAD
    return compile([](float a) { return a + 1; });
#else
    return compile([](Exp<float> a) { return a + 1; });
#endif
}
