// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mask chooses by compact or select.
// expect: compact\(mask, a\)
// expect: gather\(indices, a\)
#include <sinter/sinter.hpp>

using namespace sinter;

auto f(Array<float> v) {
#ifdef SINTER_BAD
    return v[v > 0.f];
#else
    return compact(v > 0.f, v);
#endif
}
