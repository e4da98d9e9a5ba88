// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A state of a loop on arrays that begins as a number is one in the condition, too.
// expect: the body and the condition of a loop take the states, after the index of a for_loop: one that begins as an array
#include <sinter/sinter.hpp>

using namespace sinter;

auto halved(Delayed<float> a) {
    auto body = [](const auto& x, const auto& more) { return std::tuple(x * 0.5f, more && any(x > 1.f)()); };
#ifdef SINTER_BAD
    return while_loop([](const auto&, const Delayed<bool, 0>& more) { return more(); }, body, a, true);
#else
    return while_loop([](const auto&, const Exp<bool>& more) { return more; }, body, a, true);
#endif
}
