// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// slice keeps all axes.
// expect: write range\(i, i \+ 1\)
// expect: reshape
#include <sinter/sinter.hpp>

using namespace sinter;

auto f(Array<float, 2> m) {
#ifdef SINTER_BAD
    return slice(m, 0, all);
#else
    return reshape(slice(m, range(0, 1), all), shape(3));
#endif
}
