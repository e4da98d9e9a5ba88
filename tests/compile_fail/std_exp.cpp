// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::exp takes a value, which an element of an array has only when the program runs.
// expect: use of deleted function .*|call to deleted conversion|invokes a deleted function
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
