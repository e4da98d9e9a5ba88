// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An element is read with ( ).
// expect: write a\(i\)
#include <sinter/sinter.hpp>

using namespace sinter;

auto f(Array<float> v) {
#ifdef SINTER_BAD
    return v[0];
#else
    return v(0);
#endif
}
