// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An element that is appended, or an axis?
// expect: is the integer at the end an axis or an element\? Write concat\(x, 3, axis\(0\)\)
#include <sinter/sinter.hpp>

using namespace sinter;

auto append(Delayed<std::int64_t> x) {
#ifdef SINTER_BAD
    return concat(x, 0);
#else
    return concat(x, 0, axis(0));
#endif
}
