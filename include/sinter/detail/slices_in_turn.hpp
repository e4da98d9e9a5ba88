// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A vmap whose function says only when it is executed which shapes its results have, as a foreign function does: those of
/// the first slice decide, or of a slice of zeros if there is none, and the other slices have to have the same. Definitions:
/// lib/front.
#pragma once

#include <sinter/combinators/update.hpp>

#include <sinter/array_control.hpp>

namespace sinter::detail {

/// True if a foreign function of the slice decides about an extent of these results of the scope closed last.
SINTER_API bool is_shaped_inside(const LeafRef* results, std::size_t count);
/// Slice 0 of the outermost axis; of zeros if there is none.
SINTER_API LeafRef first_slice(const LeafRef& array, location where);
/// Slice `index` of the outermost axis.
SINTER_API LeafRef outer_slice(const LeafRef& array, SizeArgument index, location where);
/// As many copies of `array` as `like` has outer slices.
SINTER_API LeafRef copy_for_slices(const LeafRef& array, const LeafRef& like, location where);

/// Records a function of slices, given by their leaves, once more.
template <class Results>
struct SliceFunction {
    void* function;
    void (*record)(void* function, const LeafRef* slices, Results& results);
};

template <class... A>
std::tuple<A...> as_tuple(const std::tuple<A...>& arrays) {
    return arrays;
}
template <class T, int Rank>
std::tuple<Delayed<T, Rank>> as_tuple(const Delayed<T, Rank>& array) {
    return {array};
}
/// What a function of arrays returns: one array, or a tuple of several.
template <class... A>
auto as_returned(const std::tuple<A...>& arrays) {
    if constexpr (sizeof...(A) == 1)
        return std::get<0>(arrays);
    else
        return arrays;
}

/// `into` with this value as slice i; ShapeError unless it has the shape of the first one.
template <class T, int Rank>
Delayed<T, Rank> with_slice(const Delayed<T, Rank>& into, const Exp<std::int64_t>& i, const Delayed<T, Rank - 1>& first,
                            const Delayed<T, Rank - 1>& value, location where) {
    if constexpr (Rank == 1) {
        return update(into, index(i), value(), where);
    } else {
        return [&]<std::size_t... Axis>(std::index_sequence<Axis...>) {
            auto left = [](const auto& x, const auto&) { return x; };
            const auto alike = map_arrays("vmap, results of two slices", where, left, value, first);
            return update_slice(into, where, alike, i, ((void)Axis, all)...);
        }(std::make_index_sequence<static_cast<std::size_t>(Rank) - 1>{});
    }
}

template <class T, int Rank>
Delayed<T, Rank + 1> copies_for_slices(const Delayed<T, Rank>& array, const LeafRef& like, location where) {
    return view_leaves<Rank + 1>(array, [&](auto& leaf) { return copy_for_slices(leaf, like, where); });
}

/// The results of `function` for all slices of the arrays whose leaves these are.
template <class Results, std::size_t Count>
auto slices_in_turn(location where, const LeafRef (&args)[Count], const SliceFunction<Results>& function) {
    auto of = [&](auto slice) {
        LeafRef slices[Count];
        for (std::size_t k = 0; k < Count; ++k) slices[k] = slice(args[k]);
        Results results;
        function.record(function.function, slices, results);
        return as_tuple(results.arrays());
    };
    auto of_first = [&] {
        const OpenTrace program(open_program("vmap", where));
        return of([&](const LeafRef& array) { return first_slice(array, where); });
    };
    const auto first = of_first();
    Leaves<std::int64_t> extent;
    extent.leaf[0] = extent_leaf(args[0], 0, where);
    auto one_less = [](const auto& n) { return max(n - 1, std::int64_t(0)); };
    const auto others = map_arrays("vmap", where, one_less, Delayed<std::int64_t, 0>(std::move(extent)));
    auto step = [&](const Exp<std::int64_t>& i, const auto&... states) {
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
            const std::tuple into(states...);
            const auto values = of([&](const LeafRef& array) { return outer_slice(array, size_argument(i + 1), where); });
            return as_returned(
                std::tuple{with_slice(std::get<K>(into), i + 1, std::get<K>(first), std::get<K>(values), where)...});
        }(std::index_sequence_for<decltype(states)...>{});
    };
    return std::apply(
        [&](const auto&... each) { return array_for(where, others, step, copies_for_slices(each, args[0], where)...); },
        first);
}

}  // namespace sinter::detail
