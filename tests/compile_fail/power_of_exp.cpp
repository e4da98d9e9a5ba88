// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ^ is no power in C++.
// expect: write x \* x or pow\(x, n\)
#include <sinter/sinter.hpp>

using namespace sinter;

auto f(Array<float> v) {
#ifdef SINTER_BAD
    return map([](Exp<float> x) { return x ^ 2; }, v);
#else
    return map([](Exp<float> x) { return pow(x, 2); }, v);
#endif
}
