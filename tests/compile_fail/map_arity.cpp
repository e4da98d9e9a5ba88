// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function given to map has as many parameters as there are arrays.
// expect: the function given to a combinator has the wrong parameters
#include <sinter/sinter.hpp>

#include <functional>
#include <string>
#include <vector>

using namespace sinter;

auto added(Delayed<float> x, Delayed<float> y) {
#ifdef SINTER_BAD
    return map([](Exp<float> a) { return a; }, x, y);
#else
    return map([](Exp<float> a, Exp<float> b) { return a + b; }, x, y);
#endif
}
