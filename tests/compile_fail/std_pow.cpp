// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::pow takes values, which elements of arrays have only when the program runs.
// expect: use of deleted function .*|call to deleted conversion|invokes a deleted function
#include <sinter/sinter.hpp>

#include <cmath>

using namespace sinter;

auto f(Array<float> v) {
#ifdef SINTER_BAD
    return map([](Exp<float> e) { return std::pow(e, 2.f); }, v);
#else
    return map([](Exp<float> e) { return pow(e, 2.f); }, v);
#endif
}
