// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An axis has a type of its own: sum(a, 0) would read like sum of a and 0.
// expect: write sum\(a, axis\(0\)\)
#include <sinter/sinter.hpp>

using namespace sinter;

auto f(Array<float, 2> image) {
#ifdef SINTER_BAD
    return sum(image, 0);
#else
    return sum(image, axis(0));
#endif
}
