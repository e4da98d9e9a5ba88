// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Irregular nesting: segments of an array, given by their lengths, and the array whose segments are computed. Lengths and
/// counts are integers; a negative one is an IndexError. Flattened as in Blelloch, Vector Models for Data-Parallel Computing
/// (1990), 4.2.
#pragma once

#include <sinter/combinators/scan.hpp>
#include <sinter/combinators/scatter.hpp>
#include <sinter/combinators/zip.hpp>

namespace sinter {

namespace detail {

using Positions = Delayed<std::int64_t, 1>;

/// Segments of an array of their length together.
struct Segments {
    Positions lengths, starts;
    Delayed<std::int64_t, 0> total;
};

template <class L>
Segments segments(const char* what, const L& lengths, location where) {
    static_assert(rank_v<L> == 1 && std::is_integral_v<element_t<L>>, "lengths of segments: integers, an array of rank 1");
    auto wide = wide_indices(what, lengths, where);
    auto add = [](const auto& x, const auto& y) { return x + y; };
    auto zero = literal_leaves(std::int64_t{0}, where);
    auto out = scan_leaves(what, add, &zero, wide, scan_kind(true, true), where);
    return {wide, listed_array<std::int64_t, 1>(out, 0), listed_array<std::int64_t, 0>(out, 1)};
}

/// An array of all elements of the segments that is `none` but for values[i] where segment i begins, unless it is empty.
template <class T>
Delayed<T, 1> at_starts(const char* what, const Segments& segments, T none, const Delayed<T, 1>& values, location where) {
    OpenTrace program(open_program(what, where));  // the extent is not negative, so that nothing is left to check in loops
    auto dest = fill(shape(max(segments.total(), Exp<std::int64_t>(0))), none, where);
    auto place = [](auto length, auto start) { return select(length > 0, start, length - 1); };  // negative: IndexError
    auto indices = map_arrays(what, where, place, segments.lengths, segments.starts);
    return scatter_arrays(what, where, dest, indices, values);
}

template <class Op, class A>
auto scan_segments(const char* what, Op& op, const A& a, const Segments& segments, location where) {
    using T = element_t<A>;
    using Flagged = std::tuple<bool, T>;
    static_assert(rank_v<A> == 1, "segments are those of an array of rank 1");
    auto yes = [](const auto&) { return Exp<bool>(true); };
    auto all = generate_like(std::make_index_sequence<1>{}, what, where, segments.lengths.leaves().leaf[0], yes);
    auto begins = at_starts(what, segments, false, all, where);
    auto flagged = [&](Exp<Flagged> x, Exp<Flagged> y) {
        auto [begun_x, vx] = x;
        auto [begun_y, vy] = y;
        auto value = cond(begun_y, [&] { return vy; }, [&] { return convert<T>(detail::call(op, vx, vy)); });
        return record<Flagged>(begun_x || begun_y, value);
    };
    auto pairs = zip_as<Flagged>(what, where, begins, a);
    return array_component<1>(scan_array(what, flagged, nullptr, pairs, ScanKind{}, where));
}

/// How many results each element has: an array, one number for all, or a function of the element.
template <class C, class A>
auto counts_of(const C& counts, const A& a, location where) {
    if constexpr (ArrayLike<C>) {
        require_same_shape("expand", where, counts, a);
        return Delayed<element_t<C>, rank_v<C>>(counts);
    } else if constexpr (SizeLike<C>) {
        auto same = [&](const auto&) { return convert<std::int64_t>(counts); };
        return generate_like(std::make_index_sequence<1>{}, "expand", where, a.leaves().leaf[0], same);
    } else {
        return map_arrays("expand", where, counts, a);
    }
}

}  // namespace detail

/// inclusive_scan(op, segment) of every segment: the first lengths[0] elements of a, the next lengths[1], and so on. The
/// result has a's shape. ShapeError unless the lengths add up to a's.
template <class Op, class A, class L>
auto inclusive_scan_segments(Op&& op, detail::Operand<A> a, detail::Operand<L> lengths) {
    constexpr const char* what = "inclusive_scan_segments";
    auto segments = detail::segments(what, *lengths.array, a.where);
    return detail::scan_segments(what, op, *a.array, segments, a.where);
}

/// fold(op, init, segment) of every segment: an array of lengths' shape. Empty segments are init. ShapeError unless the
/// lengths add up to a's.
template <class Op, class Init, class A, class L>
auto fold_segments(Op&& op, const Init& init, detail::Operand<A> a, detail::Operand<L> lengths) {
    using T = element_t<A>;
    constexpr const char* what = "fold_segments";
    Delayed<T, 0> first(detail::scalar_leaves<T>(init, what, a.where));
    auto segments = detail::segments(what, *lengths.array, a.where);
    auto prefixes = detail::scan_segments(what, op, *a.array, segments, a.where);
    auto last = [&](Exp<std::int64_t> length, Exp<std::int64_t> start) {
        Exp<T> neutral = first();
        return cond(
            length > 0, [&] { return detail::convert<T>(detail::call(op, neutral, prefixes(start + length - 1))); },
            [&] { return neutral; });
    };
    return detail::map_arrays(what, a.where, last, segments.lengths, segments.starts);
}

/// For each element a[i], the counts[i] results f(a[i], j), j = 0, ..., counts[i] - 1, one after another. `counts` is an
/// array of a's shape, one number for all elements, or a function of the element. a has rank 1; so has the result, whose
/// extent is not known before it is computed.
template <class C, class F, class A>
auto expand(const C& counts, F&& f, detail::Operand<A> a) {
    constexpr const char* what = "expand";
    static_assert(rank_v<A> == 1, "expand: the array has rank 1");
    auto segments = detail::segments(what, detail::counts_of(counts, *a.array, a.where), a.where);
    auto own = [](Exp<std::int64_t> i) { return i; };
    auto numbers = detail::generate_like(std::make_index_sequence<1>{}, what, a.where, a.array->leaves().leaf[0], own);
    auto begins = detail::at_starts(what, segments, std::int64_t{0}, numbers, a.where);
    auto later = [](Exp<std::int64_t> x, Exp<std::int64_t> y) { return max(x, y); };
    auto owner = detail::scan_array(what, later, nullptr, begins, detail::ScanKind{}, a.where);
    auto distance = [](Exp<std::int64_t> k, Exp<std::int64_t> start) { return k - start; };
    auto starts = detail::gather_arrays(what, a.where, owner, segments.starts);
    auto j = detail::map_indexed_arrays(std::make_index_sequence<1>{}, a.where, distance, starts);
    return detail::map_arrays(what, a.where, f, detail::gather_arrays(what, a.where, owner, *a.array), j);
}

}  // namespace sinter
