// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bit_cast keeps the size.
// expect: sizes? differ|differ in size
#include <sinter/sinter.hpp>

#include <functional>
#include <string>
#include <vector>

using namespace sinter;

auto bits(Delayed<float> x) {
#ifdef SINTER_BAD
    return map([](Exp<float> v) { return bit_cast<std::uint64_t>(v); }, x);
#else
    return map([](Exp<float> v) { return bit_cast<std::uint32_t>(v); }, x);
#endif
}
