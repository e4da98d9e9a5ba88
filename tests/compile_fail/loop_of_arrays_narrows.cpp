// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A state of a loop on arrays keeps its type.
// expect: a state of a loop keeps the type of its initial value, and the body returns a wider one: write
#include <sinter/sinter.hpp>

using namespace sinter;

auto grown(Delayed<float> a, Delayed<double> by) {
#ifdef SINTER_BAD
    return for_loop(10, [=](auto, auto x) { return x + by; }, a);
#else
    return for_loop(10, [=](auto, auto x) { return x + by; }, cast<double>(a));
#endif
}
