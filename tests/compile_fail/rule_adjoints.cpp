// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rule of custom_vjp returns one adjoint for each argument.
// expect: the rule returns one adjoint for each argument of f that has floating-point elements
#include <sinter/sinter.hpp>

using namespace sinter;

#ifdef SINTER_BAD
auto rule = [](const auto&, const auto& dy, const auto&, const auto& y) { return dy * y; };
#else
auto rule = [](const auto&, const auto& dy, const auto& x, const auto& y) { return std::tuple(dy * y, dy * x); };
#endif
auto product(Delayed<float> a) {
    return custom_vjp([](Delayed<float> x, Delayed<float> y) { return x * y; }, rule)(a, a);
}
