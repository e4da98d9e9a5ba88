// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of the standard library take numbers.
// expect: write exp\(e\) or max\(e, 0\.f\) without std::
#include <sinter/sinter.hpp>

#include <cmath>

using namespace sinter;

auto f(Array<float> v) {
#ifdef SINTER_BAD
    return map([](Exp<float> e) { return std::exp(e); }, v);
#else
    return map([](Exp<float> e) { return exp(e); }, v);
#endif
}
