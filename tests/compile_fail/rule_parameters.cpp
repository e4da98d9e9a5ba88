// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rule of custom_vjp takes the result, the cotangent and the arguments.
// expect: custom_vjp\(f, rule\): the rule takes the result of f, the cotangent of that result and then the arguments of f
#include <sinter/sinter.hpp>

using namespace sinter;

#ifdef SINTER_BAD
auto rule = [](Delayed<float> dy, Delayed<float> x) { return 2.f * x * dy; };
#else
auto rule = [](Delayed<float>, Delayed<float> dy, Delayed<float> x) { return 2.f * x * dy; };
#endif
auto square(Delayed<float> a) {
    return custom_vjp([](Delayed<float> x) { return x * x; }, rule)(a);
}
