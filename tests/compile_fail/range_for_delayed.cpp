// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of an array are a std::vector by to_vector() only.
// expect: a\.to_vector\(\)
// expect: map, fold or for_loop
#include <sinter/sinter.hpp>

using namespace sinter;

float f(Delayed<float> v) {
    float total = 0;
#ifdef SINTER_BAD
    for (float x : v) total += x;
#else
    for (float x : run(v).to_vector()) total += x;
#endif
    return total;
}
