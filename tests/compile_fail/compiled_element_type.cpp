// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled function was compiled for element types.
// expect: write run\(cast<T>\(a\)\)
#include <sinter/sinter.hpp>

using namespace sinter;

auto f(Array<double> v) {
    auto twice = compile([](Delayed<float> x) { return x + x; });
#ifdef SINTER_BAD
    return twice(v);
#else
    return twice(run(cast<float>(v)));
#endif
}
