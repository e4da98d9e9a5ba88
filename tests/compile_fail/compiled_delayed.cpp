// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled function takes what is computed.
// expect: not a Delayed: write run\(a\)
#include <sinter/sinter.hpp>

using namespace sinter;

auto f(Array<float> v) {
    auto twice = compile([](Delayed<float> x) { return x + x; });
#ifdef SINTER_BAD
    return twice(v + 1.f);
#else
    return twice(run(v + 1.f));
#endif
}
