// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product has no +: its components have.
// expect: this operation does not exist for products
#include <sinter/sinter.hpp>

using namespace sinter;

auto total(Delayed<std::pair<float, int>> a) {
#ifdef SINTER_BAD
    return sum(a);
#else
    return sum(get<0>(a));
#endif
}
