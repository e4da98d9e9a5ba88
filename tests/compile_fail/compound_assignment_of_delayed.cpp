// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays are values.
// expect: write v = v \+ w for a Delayed, v = run\(v \+ w\) for an Array
#include <sinter/sinter.hpp>

using namespace sinter;

void f(Delayed<float> v) {
#ifdef SINTER_BAD
    v *= 2.f;
#else
    v = v * 2.f;
#endif
}
