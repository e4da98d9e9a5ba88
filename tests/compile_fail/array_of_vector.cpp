// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of C++ are copied into arrays by from, which says so.
// expect: from\(v\)
#include <sinter/sinter.hpp>

#include <vector>

using namespace sinter;

Array<float> f(const std::vector<float>& v) {
#ifdef SINTER_BAD
    return Array<float>(v);
#else
    return from(v);
#endif
}
