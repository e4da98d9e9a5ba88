// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A step that the program computes.
// expect: a step is a number of C\+\+, not an Exp
#include <sinter/sinter.hpp>

using namespace sinter;

auto every(Delayed<float> x, Exp<std::int64_t> step) {
#ifdef SINTER_BAD
    return slice(x, range(0, 8, step));
#else
    return generate(shape(8), [=](auto i) { return x(i * step); });
#endif
}
