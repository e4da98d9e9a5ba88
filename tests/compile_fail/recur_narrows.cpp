// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A state in a tuple that would lose its fraction.
// expect: a state has the type of the initial one, an integer; the function returns a fraction
#include <sinter/sinter.hpp>

using namespace sinter;

auto sums(Delayed<double> x, Exp<int> first) {
    auto add = [](auto sum, auto n, auto v) { return std::tuple(sum + v, n + 1); };
#ifdef SINTER_BAD
    return fold_left(add, std::tuple(first, 0), x);
#else
    return fold_left(add, std::tuple(cast<double>(first), 0), x);
#endif
}
