// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element of an array of rank 0 is item().
// expect: write a\.item\(\)
#include <sinter/sinter.hpp>

using namespace sinter;

float f(Array<float> v) {
#ifdef SINTER_BAD
    float s = run(sum(v));
#else
    float s = run(sum(v)).item();
#endif
    return s;
}
