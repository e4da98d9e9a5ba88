// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array is not made of its extents: it would have no elements.
// expect: fill\(shape\(m, n\), x\)
#include <sinter/sinter.hpp>

using namespace sinter;

Array<float, 2> f() {
#ifdef SINTER_BAD
    return Array<float, 2>(3, 4);
#else
    return run(fill(shape(3, 4), 0.f));
#endif
}
