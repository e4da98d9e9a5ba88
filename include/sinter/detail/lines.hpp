// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions of lines along any axis, by way of the innermost: the axis moves there, and back in what has kept it. Several
/// axes move there together.
#pragma once

#include <sinter/combinators/view.hpp>
#include <sinter/error.hpp>

#include <string>

namespace sinter::detail {

template <ArrayLike A>
int counted_axis(const char* what, const A&, Axes<1> axis, location where) {
    const std::int64_t given = axis.axes[0], counted = given < 0 ? given + rank_v<A> : given;
    if (counted < 0 || counted >= rank_v<A>)
        throw UsageError(std::string(what) + ": the array has no axis " + std::to_string(given), where);
    return static_cast<int>(counted);
}

/// The array with these axes as the innermost, in this order.
template <ArrayLike A, int K>
auto innermost(const char* what, const A& a, const Axes<K>& axes, location where) {
    static_assert(K <= rank_v<A>, "the array has fewer axes");
    bool moved[rank_v<A>] = {};
    int order[rank_v<A>];
    for (int k = 0; k < K; ++k) {
        const int counted = counted_axis(what, a, axis(axes.axes[k]), where);
        if (moved[counted])
            throw UsageError(std::string(what) + ": axis " + std::to_string(counted) + " is named twice", where);
        moved[counted] = true;
        order[rank_v<A> - K + k] = counted;
    }
    for (int k = 0, kept = 0; k < rank_v<A>; ++k)
        if (!moved[k]) order[kept++] = k;
    return transpose(a, order, where);
}

/// The opposite: an array whose innermost axis is to be this one.
template <ArrayLike A>
auto moved_back(const char* what, const A& a, Axes<1> axis, location where) {
    const int moved = counted_axis(what, a, axis, where);
    int order[rank_v<A>];
    for (int k = 0; k < rank_v<A>; ++k) order[k] = k < moved ? k : k - 1;
    order[moved] = rank_v<A> - 1;
    return transpose(a, order, where);
}

}  // namespace sinter::detail
