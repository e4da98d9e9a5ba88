// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only run() computes an Array.
// expect: write Array<T> y = run\(\.\.\)
#include <sinter/sinter.hpp>

using namespace sinter;

Array<float> f(Array<float> x) {
#ifdef SINTER_BAD
    Array<float> y = map([](auto v) { return v + 1; }, x);
#else
    Array<float> y = run(map([](auto v) { return v + 1; }, x));
#endif
    return y;
}
