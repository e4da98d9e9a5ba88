// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An element is read with ( ).
// expect: write a\(i\)
#include <sinter/sinter.hpp>

using namespace sinter;

auto f(Delayed<float> v) {
#ifdef SINTER_BAD
    return map([=](auto i) { return v[i]; }, iota(3));
#else
    return map([=](auto i) { return v(i); }, iota(3));
#endif
}
