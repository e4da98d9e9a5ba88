// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: gather: an index is an integer for a source of rank 1, else a tuple of one integer per axis of the source
#include <sinter/sinter.hpp>

auto f(sinter::Array<float> x, sinter::Array<int> i) {
#ifdef SINTER_BAD
    return sinter::gather(x, i);
#else
    return sinter::gather(i, x);
#endif
}
