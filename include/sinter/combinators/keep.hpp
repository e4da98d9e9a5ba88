// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reductions whose result keeps the array's shape: each element is what its line has been reduced to, so that a - mean(a,
/// axis(1), keep) needs no broadcast. Like a broadcast, keeping the shape takes no memory and no time.
#pragma once

#include <sinter/combinators/reduce.hpp>

namespace sinter {

/// The last argument of a reduction: mean(a, axis(1), keep).
struct Keep {};
inline constexpr Keep keep;

namespace detail {

template <class A, class R, int K>
auto kept(const A& a, const R& reduced, const Axes<K>& axes, location where) {
    Leaves<element_t<R>> out;
    for (std::size_t k = 0; k < leaf_count<element_t<R>>; ++k)
        out.leaf[k] = broadcast_back(reduced.leaves().leaf[k], a.leaves().leaf[0], axes.axes, K, where);
    return Delayed<element_t<R>, rank_v<A>>(std::move(out));
}

}  // namespace detail

#define SINTER_KEPT(name)                                                                    \
    template <ArrayLike A, int K>                                                            \
    auto name(const A& a, const Axes<K>& axes, Keep, location where = location::current()) { \
        return detail::kept(a, sinter::name(a, axes, where), axes, where);                   \
    }                                                                                        \
    template <class A>                                                                       \
    auto name(detail::Operand<A> a, Keep) {                                                  \
        return sinter::name(*a.array, axis(-1), keep, a.where);                              \
    }
SINTER_KEPT(sum)
SINTER_KEPT(product)
SINTER_KEPT(min)
SINTER_KEPT(max)
SINTER_KEPT(any)
SINTER_KEPT(count)
SINTER_KEPT(mean)
SINTER_KEPT(argmin)
SINTER_KEPT(argmax)
#undef SINTER_KEPT

}  // namespace sinter
