// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// match(variant, lambdas...): one case per alternative, checked by the compiler.
#pragma once

#include <utility>
#include <variant>

namespace sinter {

template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

template <class Variant, class... F>
decltype(auto) match(Variant&& variant, F&&... cases) {
    return std::visit(Overloaded{std::forward<F>(cases)...}, std::forward<Variant>(variant));
}

}  // namespace sinter
