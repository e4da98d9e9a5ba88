// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled function was compiled for ranks.
// expect: this one has another rank
#include <sinter/sinter.hpp>

using namespace sinter;

auto f(Array<float, 2> v) {
    auto twice = compile([](Delayed<float> x) { return x + x; });
#ifdef SINTER_BAD
    return twice(v);
#else
    return twice(run(flatten(v)));
#endif
}
