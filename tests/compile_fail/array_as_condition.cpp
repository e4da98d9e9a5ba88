// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that are compared give an array of booleans.
// expect: run\(all\(c\)\)\.item\(\)
#include <sinter/sinter.hpp>

using namespace sinter;

bool f(Array<float> v, Array<float> w) {
#ifdef SINTER_BAD
    if (v == w) return true;
    return false;
#else
    return run(all(v == w)).item();
#endif
}
