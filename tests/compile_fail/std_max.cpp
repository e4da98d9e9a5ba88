// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::max takes two values of one type, and compares them where it is called.
// expect: select\(c, a, b\)
#include <sinter/sinter.hpp>

#include <algorithm>

using namespace sinter;

auto f(Array<float> v) {
#ifdef SINTER_BAD
    return map([](Exp<float> e) { return std::max(e, Exp<float>(0.f)); }, v);
#else
    return map([](Exp<float> e) { return max(e, 0.f); }, v);
#endif
}
