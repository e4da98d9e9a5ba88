// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fractions are not dropped silently, nor in a component of a tuple.
// expect: the values are floating-point numbers and the array's elements are integers: write
#include <sinter/sinter.hpp>

using namespace sinter;

using Pair = std::tuple<float, int>;

auto replaced(Delayed<Pair> a, Delayed<std::tuple<float, float>> values) {
#ifdef SINTER_BAD
    return update(a, range(0, 2), values);
#else
    return update(a, range(0, 2), map([](Exp<float> x, Exp<float> y) { return std::tuple(x, cast<int>(y)); }, values));
#endif
}
