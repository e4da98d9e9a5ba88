// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// debug_print prints scalars.
// expect: debug_print prints numbers and booleans: pass the components of a product one by one
#include <sinter/sinter.hpp>

using namespace sinter;

auto shown(Delayed<std::pair<float, int>> a) {
    return map(
        [](Exp<std::pair<float, int>> p) {
#ifdef SINTER_BAD
            debug_print("{}", p);
#else
            debug_print("{} {}", get<0>(p), get<1>(p));
#endif
            return get<0>(p);
        },
        a);
}
