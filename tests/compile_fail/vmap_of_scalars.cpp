// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A slice of an array of rank 1 is an Exp.
// expect: Exp<T> for one of rank 1
#include <sinter/sinter.hpp>

using namespace sinter;

auto f(Array<float> a) {
#ifdef SINTER_BAD
    return vmap([](Delayed<float> x) { return sum(x); }, a);
#else
    return vmap([](Exp<float> x) { return x + 1; }, a);
#endif
}
