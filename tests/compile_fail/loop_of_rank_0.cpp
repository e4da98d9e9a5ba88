// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A state of a loop on arrays that begins as an array of rank 0 is one in the body, too.
// expect: the body and the condition of a loop take the states, after the index of a for_loop: one that begins as an array
#include <sinter/sinter.hpp>

using namespace sinter;

auto grown(Delayed<float> a) {
#ifdef SINTER_BAD
    return for_loop(10, [=](auto, Delayed<float> x, Exp<float> total) { return std::tuple(x + total, total); }, a, sum(a));
#else
    return for_loop(
        10, [=](auto, Delayed<float> x, Delayed<float, 0> total) { return std::tuple(x + total(), total); }, a, sum(a));
#endif
}
