// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled function takes arrays of the library.
// expect: write from\(v\)
#include <sinter/sinter.hpp>

#include <vector>

using namespace sinter;

auto f(const std::vector<float>& v) {
    auto twice = compile([](Delayed<float> x) { return x + x; });
#ifdef SINTER_BAD
    return twice(v);
#else
    return twice(from(v));
#endif
}
