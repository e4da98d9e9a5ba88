// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// norm is what std::norm is.
// expect: write sqrt\(sum\(a \* a\)\)
#include <sinter/sinter.hpp>

using namespace sinter;

auto f(Array<float> v) {
#ifdef SINTER_BAD
    return norm(v);
#else
    return sqrt(sum(v * v));
#endif
}
