// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Delayed is run first.
// expect: write run\(a\)\.item\(\)
#include <sinter/sinter.hpp>

using namespace sinter;

float f(Array<float> v) {
#ifdef SINTER_BAD
    float s = sum(v);
#else
    float s = run(sum(v)).item();
#endif
    return s;
}
