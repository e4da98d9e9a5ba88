// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A read of an array is no place to assign to.
// expect: scatter\(a, indices, values\)
// expect: update\(std::move\(a\), index\(i\), v\)
#include <sinter/sinter.hpp>

#include <utility>

using namespace sinter;

auto f(Delayed<float, 2> image) {
#ifdef SINTER_BAD
    image(0, 0) = 1.f;
    return image;
#else
    return run(update(std::move(image), index(0, 0), 1.f));
#endif
}
