// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fractions are not dropped silently.
// expect: the values are floating-point numbers and the array's elements are integers: write
#include <sinter/sinter.hpp>

using namespace sinter;

auto placed(Delayed<int> a, Delayed<int> at, Delayed<double> values) {
#ifdef SINTER_BAD
    return scatter(a, at, values);
#else
    return scatter(cast<double>(a), at, scatter(a, at, cast<int>(values)));
#endif
}
