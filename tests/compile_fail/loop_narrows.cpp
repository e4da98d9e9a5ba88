// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A state of a loop that begins as an Exp keeps its type.
// expect: a state of a loop keeps the type of its initial value, and the body returns a wider one: write
#include <sinter/sinter.hpp>

using namespace sinter;

auto totals(Delayed<int> a, Delayed<std::int64_t> steps) {
    return map(
        [](Exp<int> x, Exp<std::int64_t> step) {
#ifdef SINTER_BAD
            return for_loop(10, [=](auto, auto s) { return s + step; }, x);
#else
            return for_loop(10, [=](auto, auto s) { return s + step; }, cast<std::int64_t>(x));
#endif
        },
        a, steps);
}
