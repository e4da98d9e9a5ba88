// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of C++ are copied into arrays by from.
// expect: write from\(v\)
#include <sinter/sinter.hpp>

#include <vector>

using namespace sinter;

auto f(const std::vector<float>& v) {
#ifdef SINTER_BAD
    return sum(v);
#else
    return sum(from(v));
#endif
}
