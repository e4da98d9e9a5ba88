// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Irregular nesting: operations on segments of an array, which are given by their lengths, and arrays whose segments are
/// computed. Lengths and counts are integers; a negative one is a ShapeError. The programs are flattened as in Blelloch,
/// Vector Models for Data-Parallel Computing (1990), section 4.2.
#pragma once

#include <sinter/combinators/scan.hpp>
#include <sinter/combinators/scatter.hpp>
#include <sinter/combinators/view.hpp>
#include <sinter/combinators/zip.hpp>
#include <sinter/control.hpp>
#include <sinter/detail/control.hpp>

namespace sinter {

namespace detail {

template <class O>
concept SegmentOption = std::is_same_v<O, FromRight>;

using Positions = Delayed<std::int64_t, 1>;

/// Segments whose lengths add up to the length of an array.
struct Segments {
    Positions lengths, starts;
    Delayed<std::int64_t, 0> total;
    Delayed<std::int64_t, 0> sum;  ///< the total, or anything if it does not fit or a length is negative
};

/// The total depends on a start, so that no extent is made from it before all lengths are checked.
template <class L>
Segments segments(const char* what, const L& lengths, location where) {
    static_assert(rank_v<L> == 1 && std::is_integral_v<element_t<L>>, "lengths of segments: integers, an array of rank 1");
    using Number = Exp<std::int64_t>;
    auto wide = wide_indices(what, lengths, where);
    auto add = [](const auto& x, const auto& y) { return x + y; };
    auto zero = literal_leaves(std::int64_t{0}, where);
    auto sums = scan_leaves(what, add, &zero, wide, scan_kind(true, true), where);
    Delayed<std::int64_t, 0> sum = listed_array<std::int64_t, 0>(sums, 1);
    auto checked = [](Number i, Number start, Number length) {
        return record_op<Op::segment_end>(start, length, i) - length;
    };
    auto starts = map_indexed_arrays(std::make_index_sequence<1>{}, what, where, checked,
                                     listed_array<std::int64_t, 1>(sums, 0), wide);
    auto total = [&] {
        Number count = sinter::extent(starts, 0), all = sum();
        return cond(count > 0, [&] { return max(all, starts(count - 1)); }, [&] { return all; });
    };
    return {wide, starts, generate_array(std::make_index_sequence<0>{}, what, where, nullptr, total), sum};
}

/// An end of a segment.
enum class End { first, last };

inline auto position_of(End end, const Exp<std::int64_t>& length, const Exp<std::int64_t>& start) {
    return end == End::first ? start : start + length - 1;
}

/// An array with one element per element of the segments: values[i] at an end of segment i, unless that is empty, and `none`
/// elsewhere.
template <class T>
Delayed<T, 1> at_ends(const char* what, const Segments& segments, End end, T none, const Delayed<T, 1>& values,
                      location where) {
    OpenTrace program(open_program(what, where));  // the extent is not negative, so that nothing is left to check in loops
    auto dest = fill(shape(max(segments.total(), Exp<std::int64_t>(0))), none, where);
    auto place = [=](auto length, auto start) { return select(length > 0, position_of(end, length, start), -1); };
    auto indices = map_arrays(what, where, place, segments.lengths, segments.starts);
    return scatter_arrays(what, where, dest, indices, values);
}

/// Scans of the segments of arrays, made of scans over all elements, paired with a flag where a segment begins (Blelloch
/// 1990, section 1.5). An operator on pairs forgets what stands before the last flag, and is associative if `op` is.
template <class Op, class T>
class SegmentScan {
  public:
    SegmentScan(const char* what, Op& op, const Segments& segments, const ScanKind& kind, location where)
        : what_(what), op_(op), segments_(segments), reverse_(kind.reverse), where_(where) {
        auto yes = [](const auto&) { return Exp<bool>(true); };
        auto all = generate_like(std::make_index_sequence<1>{}, what, where, segments.lengths.leaves().leaf[0], yes);
        begins_ = at_ends(what, segments, reverse_ ? End::last : End::first, false, all, where);
    }

    Delayed<T, 1> inclusive(const Delayed<T, 1>& a) const { return scan(nullptr, a); }
    Delayed<T, 1> inclusive(const Delayed<T, 0>& init, const Delayed<T, 1>& a) const {
        return scan(nullptr, seeded(init, a));
    }
    /// The initial value of the scan is replaced where the first segment begins.
    Delayed<T, 1> exclusive(const Delayed<T, 0>& init, const Delayed<T, 1>& a) const {
        auto first = scalar_leaves<Flagged>(std::tuple(false, init), what_, where_);
        auto restarted = [&](Exp<bool> begins, Exp<T> before) { return select(begins, Exp<T>(init()), before); };
        return map_arrays(what_, where_, restarted, begins_, scan(&first, seeded(init, a)));
    }
    /// The fold of each segment, given an inclusive scan without init.
    Delayed<T, 1> folds(const Delayed<T, 0>& init, const Delayed<T, 1>& prefixes) const {
        return of_last(init, [&](auto last) { return combined(init(), prefixes(last)); });
    }
    /// The same, given an exclusive scan of a.
    Delayed<T, 1> folds(const Delayed<T, 0>& init, const Delayed<T, 1>& before, const Delayed<T, 1>& a) const {
        return of_last(init, [&](auto last) { return combined(before(last), a(last)); });
    }

  private:
    using Flagged = std::tuple<bool, T>;

    /// The operator applied to `first` and `then`, in the order of the scan.
    Exp<T> combined(const Exp<T>& first, const Exp<T>& then) const {
        return convert<T>(reverse_ ? call(op_, then, first) : call(op_, first, then));
    }

    /// f(position of the element at which each segment's scan ends); init for empty segments.
    template <class F>
    Delayed<T, 1> of_last(const Delayed<T, 0>& init, F f) const {
        auto last = [&](Exp<std::int64_t> length, Exp<std::int64_t> start) {
            auto at = position_of(reverse_ ? End::first : End::last, length, start);
            return cond(length > 0, [&] { return f(at); }, [&] { return Exp<T>(init()); });
        };
        return map_arrays(what_, where_, last, segments_.lengths, segments_.starts);
    }

    /// a with init combined with the first element of each segment.
    Delayed<T, 1> seeded(const Delayed<T, 0>& init, const Delayed<T, 1>& a) const {
        auto begin = [&](Exp<bool> begins, Exp<T> x) {
            return cond(begins, [&] { return combined(init(), x); }, [&] { return x; });
        };
        return map_arrays(what_, where_, begin, begins_, a);
    }

    /// An exclusive scan if there is a pair to start with.
    Delayed<T, 1> scan(const Leaves<Flagged>* first, const Delayed<T, 1>& a) const {
        auto flagged = [&](Exp<Flagged> x, Exp<Flagged> y) {
            auto [begun, before] = reverse_ ? y : x;
            auto [begins, then] = reverse_ ? x : y;
            auto value = cond(begins, [&] { return then; }, [&] { return combined(before, then); });
            return record<Flagged>(begun || begins, value);
        };
        auto pairs = zip_as<Flagged>(what_, where_, begins_, a);
        const ScanKind kind{.exclusive = first != nullptr, .reverse = reverse_};
        return array_component<1>(scan_array(what_, flagged, first, pairs, kind, where_));
    }

    const char* what_;
    Op& op_;
    const Segments& segments_;
    bool reverse_;
    location where_;
    Delayed<bool, 1> begins_;
};

/// use(the scan, a) for the segments of `a`.
template <class Op, class A, class L, class Use>
auto scan_segments(const char* what, Op& op, const Operand<A>& a, const L& lengths, const ScanKind& kind, Use use) {
    static_assert(rank_v<A> == 1, "segments are those of an array of rank 1");
    const Segments all = segments(what, lengths, a.where);
    return use(SegmentScan<Op, element_t<A>>(what, op, all, kind, a.where), Delayed<element_t<A>, 1>(*a.array));
}

/// Folds segments by loops over their elements, so that neither flags nor prefixes are stored. Loops have a bounded length,
/// however long a segment is: segments are cut wherever the index in the array is a multiple of `piece`. One kernel folds
/// all pieces, the next one combines those of each segment. The first pieces come first, one per segment; then, for each
/// cut, the piece that begins there if a segment continues, which is found by binary search. What is folded in which order
/// depends on the lengths alone. Derivatives of such loops would keep all their states, so what may be differentiated is
/// made of scans.
template <class Op, class T>
class SegmentFold {
  public:
    SegmentFold(const char* what, Op& op, const Segments& segments, const Delayed<T, 1>& a, location where)
        : what_(what), op_(op), segments_(segments), where_(where), a_(of_their_length(a)) {}

    Delayed<T, 1> folds(const Delayed<T, 0>& init) const {
        const Delayed<T, 1> pieces = piece_folds(init);
        OpenTrace program(open_program(what_, where_));
        const Number count = sinter::extent(segments_.lengths, 0);
        auto fold = [&](const Number& length, const Number& start, const Exp<T>& first) {
            const Number cuts = start >> log_piece;  // those before the segment
            auto further = [&](const Number& k, const Exp<T>& so_far) { return combined(so_far, pieces(count + cuts + k)); };
            return for_loop(((start + length - 1) >> log_piece) - cuts, further, first);
        };
        return map_arrays(what_, where_, fold, segments_.lengths, segments_.starts, take(pieces, count));
    }

  private:
    using Number = Exp<std::int64_t>;

    /// Shifts are part of the program, whereas a literal of that size would be an argument.
    static constexpr std::int64_t log_piece = 10, piece = std::int64_t{1} << log_piece;

    Exp<T> combined(const Exp<T>& x, const Exp<T>& y) const { return convert<T>(call(op_, x, y)); }

    /// ShapeError unless the lengths add up to a's.
    Delayed<T, 1> of_their_length(const Delayed<T, 1>& a) const {
        OpenTrace program(open_program(what_, where_));  // the extent is not negative, so that nothing is left to check
        auto all = fill(shape(max(segments_.sum(), Number(0))), false, where_);
        auto same = [](const Exp<T>& x, const Exp<bool>&) { return x; };
        return map_arrays(what_, where_, same, a, all);
    }

    /// The folds of all pieces: the first ones start from `init`; cuts at which no segment continues have an arbitrary
    /// value.
    Delayed<T, 1> piece_folds(const Delayed<T, 0>& init) const {
        OpenTrace program(open_program(what_, where_));
        const Number count = sinter::extent(segments_.lengths, 0);
        auto fold = [&](const Number& number) {
            for (const LeafRef& leaf : a_.leaves().leaf) read_once(leaf);
            const Exp<bool> is_first = number < count;
            const Number cut = (number - count + 1) << log_piece;
            const Number segment = cond(is_first, [&] { return number; }, [&] { return segment_at(cut); });
            const Number start = segments_.starts(segment), begin = select(is_first, start, cut);
            const Number stop = min(start + segments_.lengths(segment), ((begin >> log_piece) + 1) << log_piece);
            return piece_fold(begin, select(is_first || start < cut, stop, begin), is_first, init);
        };
        return generate(shape(count + sinter::extent(a_, 0) / piece), fold, where_);
    }

    Exp<T> piece_fold(const Number& begin, const Number& end, const Exp<bool>& is_first, const Delayed<T, 0>& init) const {
        const Exp<bool> from_init = is_first || begin == end;
        const Number rest = begin + select(from_init, Number(0), Number(1));
        auto element = [&](const Number& k, const Exp<T>& so_far) { return combined(so_far, a_(rest + k)); };
        return for_loop(end - rest, element, cond(from_init, [&] { return Exp<T>(init()); }, [&] { return a_(begin); }));
    }

    /// The last segment that begins at this element or before it.
    Number segment_at(const Number& element) const {
        auto more = [](const Number& low, const Number& high) { return high - low > 1; };
        auto halve = [&](const Number& low, const Number& high) {
            const Number middle = (low + high) >> 1;
            const Exp<bool> begun = segments_.starts(middle) <= element;
            return std::tuple(select(begun, middle, low), select(begun, high, middle));
        };
        auto [low, high] = while_loop(more, halve, Number(0), sinter::extent(segments_.starts, 0));
        return low;
    }

    const char* what_;
    Op& op_;
    const Segments& segments_;
    location where_;
    Delayed<T, 1> a_;
};

/// The initial value as an array of rank 0.
template <class A, class Init>
auto initial(const char* what, const Init& init, location where) {
    return Delayed<element_t<A>, 0>(scalar_leaves<element_t<A>>(init, what, where));
}

/// The number of results for each element: an array, one number for all, or a function of the element.
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

/// inclusive_scan(op, segment) for every segment: the first lengths[0] elements of a, the next lengths[1], and so on. The
/// result has a's shape. ShapeError unless the lengths add up to a's. Option: from_right, as for scans.
template <class Op, class A, class L, detail::SegmentOption... O>
auto inclusive_scan_segments(Op&& op, detail::Operand<A> a, detail::Operand<L> lengths, const O&... option) {
    auto kind = detail::scan_kind(false, false, option...);
    return detail::scan_segments("inclusive_scan_segments", op, a, *lengths.array, kind,
                                 [](const auto& scan, const auto& x) { return scan.inclusive(x); });
}
/// inclusive_scan(op, init, segment) for every segment, as above; init is as for fold.
template <class Op, class Init, class A, class L, detail::SegmentOption... O>
auto inclusive_scan_segments(Op&& op, const Init& init, detail::Operand<A> a, detail::Operand<L> lengths,
                             const O&... option) {
    constexpr const char* what = "inclusive_scan_segments";
    auto first = detail::initial<A>(what, init, a.where);
    auto kind = detail::scan_kind(false, false, option...);
    return detail::scan_segments(what, op, a, *lengths.array, kind,
                                 [&](const auto& scan, const auto& x) { return scan.inclusive(first, x); });
}
/// exclusive_scan(op, init, segment) for every segment, as above.
template <class Op, class Init, class A, class L, detail::SegmentOption... O>
auto exclusive_scan_segments(Op&& op, const Init& init, detail::Operand<A> a, detail::Operand<L> lengths,
                             const O&... option) {
    constexpr const char* what = "exclusive_scan_segments";
    auto first = detail::initial<A>(what, init, a.where);
    auto kind = detail::scan_kind(true, false, option...);
    return detail::scan_segments(what, op, a, *lengths.array, kind,
                                 [&](const auto& scan, const auto& x) { return scan.exclusive(first, x); });
}
/// std::tuple(exclusive_scan_segments(op, init, a, lengths), fold_segments(op, init, a, lengths)): arrays with the shapes of
/// a and lengths. The total of an empty segment is init.
template <class Op, class Init, class A, class L, detail::SegmentOption... O>
auto scan_with_total_segments(Op&& op, const Init& init, detail::Operand<A> a, detail::Operand<L> lengths,
                              const O&... option) {
    constexpr const char* what = "scan_with_total_segments";
    auto first = detail::initial<A>(what, init, a.where);
    auto kind = detail::scan_kind(true, true, option...);
    return detail::scan_segments(what, op, a, *lengths.array, kind, [&](const auto& scan, const auto& x) {
        auto before = scan.exclusive(first, x);
        return std::tuple(before, scan.folds(first, before, x));
    });
}

/// fold(op, init, segment) for every segment: an array of lengths' shape. Empty segments give init. ShapeError unless the
/// lengths add up to a's.
template <class Op, class Init, class A, class L>
auto fold_segments(Op&& op, const Init& init, detail::Operand<A> a, detail::Operand<L> lengths) {
    constexpr const char* what = "fold_segments";
    auto first = detail::initial<A>(what, init, a.where);
    if (detail::in_derivative())
        return detail::scan_segments(what, op, a, *lengths.array, {},
                                     [&](const auto& scan, const auto& x) { return scan.folds(first, scan.inclusive(x)); });
    static_assert(rank_v<A> == 1, "segments are those of an array of rank 1");
    using T = element_t<A>;
    const detail::Segments segments = detail::segments(what, *lengths.array, a.where);
    return detail::SegmentFold<std::remove_reference_t<Op>, T>(what, op, segments, Delayed<T, 1>(*a.array), a.where)
        .folds(first);
}

/// For each element a[i], the counts[i] results f(a[i], j), j = 0, ..., counts[i] - 1, one after another. `counts` is an
/// array of a's shape, one number for all elements, or a function of the element. Both a and the result have rank 1; the
/// extent of the result is not known before it is computed.
template <class C, class F, class A>
auto expand(const C& counts, F&& f, detail::Operand<A> a) {
    constexpr const char* what = "expand";
    static_assert(rank_v<A> == 1, "expand: the array has rank 1");
    auto segments = detail::segments(what, detail::counts_of(counts, *a.array, a.where), a.where);
    auto own = [](Exp<std::int64_t> i) { return i; };
    auto numbers = detail::generate_like(std::make_index_sequence<1>{}, what, a.where, a.array->leaves().leaf[0], own);
    auto begins = detail::at_ends(what, segments, detail::End::first, std::int64_t{0}, numbers, a.where);
    auto later = [](Exp<std::int64_t> x, Exp<std::int64_t> y) { return max(x, y); };
    auto owner = detail::scan_array(what, later, nullptr, begins, detail::ScanKind{}, a.where);
    auto distance = [](Exp<std::int64_t> k, Exp<std::int64_t> start) { return k - start; };
    auto starts = detail::gather_arrays(what, a.where, owner, segments.starts);
    auto j = detail::map_indexed_arrays(std::make_index_sequence<1>{}, a.where, distance, starts);
    return detail::map_arrays(what, a.where, f, detail::gather_arrays(what, a.where, owner, *a.array), j);
}

}  // namespace sinter
