// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function given to vmap takes a slice.
// expect: write Delayed<T, r - 1> for an array of rank r
#include <sinter/sinter.hpp>

using namespace sinter;

auto f(Array<float, 3> a) {
#ifdef SINTER_BAD
    return vmap([](Delayed<float> slice) { return sum(slice); }, a);
#else
    return vmap([](Delayed<float, 2> slice) { return sum(slice); }, a);
#endif
}
