// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ^ is no power in C++.
// expect: write x \* x or pow\(x, n\)
#include <sinter/sinter.hpp>

using namespace sinter;

auto f(Array<float> v) {
#ifdef SINTER_BAD
    return v ^ 2;
#else
    return v * v;
#endif
}
