// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays of evenly spaced numbers, grids, and choices between elements.
#pragma once

#include <sinter/array_math.hpp>
#include <sinter/combinators/make.hpp>
#include <sinter/combinators/vmap.hpp>

#include <cmath>

namespace sinter {

/// n numbers from start to stop, both included: start + i (stop - start) / (n - 1), and stop itself as the last.
template <std::floating_point T, detail::SizeLike N>
auto linspace(T start, T stop, const N& n, location where = location::current()) {
    auto element = [=](Exp<std::int64_t> i) {
        const Exp<std::int64_t> last = Exp<std::int64_t>(n) - 1;
        const Exp<T> step = Exp<T>(stop - start) / cast<T>(max(last, 1));
        return select(i == last && i > 0, stop, Exp<T>(start) + cast<T>(i) * step);
    };
    return generate(shape(n), element, where);
}

/// start, start + step, ... before stop. UsageError if step is 0.
template <class T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
auto arange(T start, T stop, T step, location where = location::current()) {
    if (step == T(0)) throw UsageError("arange: the step is 0", where);
    const double steps = std::ceil((static_cast<double>(stop) - static_cast<double>(start)) / static_cast<double>(step));
    const auto n = steps > 0 ? static_cast<std::int64_t>(steps) : std::int64_t{0};
    auto element = [=](Exp<std::int64_t> i) { return Exp<T>(start) + cast<T>(i) * Exp<T>(step); };
    return generate(shape(n), element, where);
}
template <class T>
    requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
auto arange(T start, T stop, location where = location::current()) {
    return arange(start, stop, T(1), where);
}

/// std::tuple(X, Y) of shape (size of y, size of x), where X(i, j) is x(j) and Y(i, j) is y(i): NumPy's indexing "xy".
template <ArrayLike A, ArrayLike B>
auto meshgrid(const A& x, const B& y, location where = location::current()) {
    static_assert(rank_v<A> == 1 && rank_v<B> == 1, "meshgrid: both arrays have rank 1");
    const Delayed<element_t<A>> across(x);
    const Delayed<element_t<B>> down(y);
    auto row_of_x = [=](Exp<element_t<B>>) { return map([](auto at) { return at; }, across); };
    auto row_of_y = [=](Exp<element_t<B>> at) { return map([=](auto) { return at; }, across); };
    const detail::Operand<Delayed<element_t<B>>> rows(down, where);
    return std::tuple(vmap(row_of_x, rows), vmap(row_of_y, rows));
}

/// a where the mask holds, else b: another name for select.
template <class M, class A, class B>
    requires(detail::ArrayOperands<M, A, B> || detail::ScalarOperands<M, A, B>)
auto where(const M& mask, const A& a, const B& b, location here = location::current()) {
    if constexpr (detail::ArrayOperands<M, A, B>)
        return sinter::select(mask, a, b, here);
    else
        return select(mask, a, b);
}

/// x within [low, high]: another name for clamp. A NaN stays.
template <class X, class L, class H>
    requires(detail::ArrayOperands<X, L, H> || detail::ScalarOperands<X, L, H>)
auto clip(const X& x, const L& low, const H& high, location where = location::current()) {
    if constexpr (detail::ArrayOperands<X, L, H>)
        return sinter::clamp(x, low, high, where);
    else
        return clamp(x, low, high);
}

}  // namespace sinter
