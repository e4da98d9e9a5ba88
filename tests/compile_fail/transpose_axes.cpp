// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A permutation names every axis.
// expect: the permutation names each axis once
#include <sinter/sinter.hpp>

using namespace sinter;

auto turned(Delayed<float, 3> a) {
#ifdef SINTER_BAD
    return transpose(a, {1, 0});
#else
    return transpose(a, {1, 0, 2});
#endif
}
