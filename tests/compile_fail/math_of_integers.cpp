// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematics is for floats: integers are cast first.
// expect: does not exist for this element type
#include <sinter/sinter.hpp>

using namespace sinter;

auto roots(Delayed<int> x) {
#ifdef SINTER_BAD
    return sqrt(x);
#else
    return sqrt(cast<float>(x));
#endif
}
