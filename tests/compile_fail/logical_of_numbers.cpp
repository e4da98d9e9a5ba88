// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// && and || are for booleans, as C++ would convert numbers silently.
// expect: need booleans: compare first
#include <sinter/sinter.hpp>

using namespace sinter;

auto both(Delayed<int> x) {
#ifdef SINTER_BAD
    return x && true;
#else
    return x != 0 && true;
#endif
}
