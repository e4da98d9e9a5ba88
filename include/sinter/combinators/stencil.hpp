// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stencils: maps whose functions read neighbours.
#pragma once

#include <sinter/combinators/boundary.hpp>

namespace sinter {

namespace detail {

/// The elements outside the array, of rank 0; empty unless the boundary is a constant.
template <class T, class B>
Leaves<T> fill_leaves(const B&, location) {
    return {};
}
template <class T, class V>
Leaves<T> fill_leaves(const boundary::Constant<V>& constant, location where) {
    return scalar_leaves<T>(constant.value, "stencil", where);
}

}  // namespace detail

/// The neighbourhood of one element, as the function of a stencil gets it.
template <class T, int Rank>
class Neighbourhood {
  public:
    Neighbourhood(std::uint64_t trace, const detail::Leaves<T>& leaves) : trace_(trace), leaves_(&leaves) {}

    /// The element at these offsets, one per axis: s(0, 0) is the element itself, s(-1, 0) the one in the row above.
    template <class... K>
        requires(std::is_integral_v<K> && ...)
    Exp<T> operator()(K... offset) const {
        static_assert(sizeof...(K) == Rank, "a neighbour is named by one offset an axis");
        const std::int64_t at[] = {static_cast<std::int64_t>(offset)...};
        Exp<T> e;
        for (std::size_t i = 0; i < e.leaves; ++i)
            e.handles[i] = detail::neighbour(trace_, leaves_->leaf[i], i, at, static_cast<std::size_t>(Rank));
        return e;
    }

  private:
    std::uint64_t trace_;
    const detail::Leaves<T>* leaves_;
};

/// The array whose elements are f(s), where s is the neighbourhood of the element of a in the same place: s(-1, 0) + s(1, 0)
/// adds the elements above and below. Offsets are C++ integers; `border` says what is read beyond the array (boundary.hpp).
/// Ranks 1 to 4; the result has a's shape.
///
/// stencil(f, boundary::keep, a): where f would read beyond an end, the element stays as it is and nothing of f is executed;
/// f gives elements of a's type. A neighbour that f reads in one branch only counts, too.
template <class F, class B, class A>
    requires detail::is_border<B>
auto stencil(F&& f, const B& border, detail::Operand<A> a) {
    using T = element_t<A>;
    static_assert(rank_v<A> >= 1 && rank_v<A> <= 4, "stencil: the array has rank 1 to 4");
    const auto& leaves = a.array->leaves();
    auto fills = detail::fill_leaves<T>(border, a.where);
    detail::OpenTrace trace(detail::open_function("stencil", a.where, nullptr, 0));
    auto y = reify(f(Neighbourhood<T, rank_v<A>>(trace.serial(), leaves)));
    using R = typename decltype(y)::element_type;
    static_assert(!std::is_same_v<B, boundary::Keep> || std::is_same_v<R, T>,
                  "stencil: with boundary::keep the function gives elements of the array's type");
    detail::Leaves<R> out;
    detail::end_stencil(trace.serial(), y.handles, y.leaves, leaves.leaf, detail::border_of(border), fills.leaf, out.leaf);
    return Delayed<R, rank_v<A>>(std::move(out));
}

}  // namespace sinter
