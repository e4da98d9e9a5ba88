// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nor is it one to add to.
// expect: scatter\(a, indices, values\)
// expect: update\(std::move\(a\), index\(i\), v\)
#include <sinter/sinter.hpp>

using namespace sinter;

auto f(Array<float, 2> image) {
#ifdef SINTER_BAD
    return map([=](auto i) { return image(i, 0) += 1.f; }, iota(3));
#else
    return map([=](auto i) { return image(i, 0) + 1.f; }, iota(3));
#endif
}
