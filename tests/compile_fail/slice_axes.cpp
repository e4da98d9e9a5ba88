// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// slice names every axis.
// expect: one specification \(all, a range or an index\) an axis
#include <sinter/sinter.hpp>

using namespace sinter;

auto rows(Delayed<float, 2> m) {
#ifdef SINTER_BAD
    return slice(m, range(0, 2));
#else
    return slice(m, range(0, 2), all);
#endif
}
