// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise operations need arrays of one rank.
// expect: the arrays differ in rank
#include <sinter/sinter.hpp>

#include <functional>
#include <string>
#include <vector>

using namespace sinter;

auto added(Delayed<float, 2> a, Delayed<float, 1> b, Delayed<float, 2> c) {
#ifdef SINTER_BAD
    static_cast<void>(c);
    return a + b;
#else
    static_cast<void>(b);
    return a + c;
#endif
}
