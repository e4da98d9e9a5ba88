// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ragged<T>: rows of different lengths, as their elements one after another, and the lengths. Results of vmap(ragged, f,
/// a), where f returns an array of another length for every slice. Not part of sinter.hpp.
///
/// Blelloch, Vector Models for Data-Parallel Computing (1990), 4.2, holds nested sequences so: operations on all rows are
/// operations on all elements, or segmented scans.
#pragma once

#include <sinter/combinators/fold.hpp>
#include <sinter/combinators/segments.hpp>
#include <sinter/combinators/slice.hpp>
#include <sinter/combinators/update.hpp>
#include <sinter/combinators/vmap.hpp>
#include <sinter/detail/joined.hpp>
#include <sinter/run.hpp>

#include <vector>

namespace sinter {

/// Rows of elements T, not computed yet. Cheap to copy.
template <class T>
class Ragged {
  public:
    using element_type = T;

    Ragged() = default;
    /// The first lengths[0] of the values are row 0, the next lengths[1] row 1, and so on. ShapeError where the rows are
    /// used if lengths are negative, or do not add up to the values.
    Ragged(Delayed<T> values, Delayed<std::int64_t> lengths) : values_(std::move(values)), lengths_(std::move(lengths)) {}

    /// All elements, row after row.
    const Delayed<T>& values() const { return values_; }
    const Delayed<std::int64_t>& lengths() const { return lengths_; }

    /// The rows, computed.
    std::vector<std::vector<T>> to_vectors(const Options& options = {}, location where = location::current()) const {
        const auto [values, lengths] = run(values_, lengths_, options, where);
        const std::vector<T> elements = values.to_vector(where);
        std::vector<std::vector<T>> rows;
        auto next = elements.begin();
        for (std::int64_t length : lengths.to_vector(where)) rows.emplace_back(next, next + length), next += length;
        return rows;
    }

  private:
    Delayed<T> values_;
    Delayed<std::int64_t> lengths_;
};

/// The same rows, computed and kept.
template <class T>
Ragged<T> run(const Ragged<T>& rows, const Options& options = {}, location where = location::current()) {
    const auto [values, lengths] = run(rows.values(), rows.lengths(), options, where);
    return {values, lengths};
}

/// As the first argument of vmap: the function's results may have different lengths.
struct RaggedResults {};
inline constexpr RaggedResults ragged{};

namespace detail {

/// f of each slice; the results' elements one after another.
template <class F, class... A>
auto ragged_rows(location where, F& f, const A&... a) {
    using Row = decltype(f(slice_argument_of(a)...));
    static_assert(ArrayLike<Row>, "vmap(ragged, f, a): f returns an array of rank 1; of numbers write vmap(f, a)");
    static_assert(rank_v<Row> == 1, "vmap(ragged, f, a): f returns arrays of rank 1");
    using T = element_t<Row>;
    const LeafRef* first[] = {&a.leaves().leaf[0]...};
    check_same_outer("vmap", first, sizeof...(A), where);
    auto args = list_leaves(a...);
    OpenControl control("vmap", where);
    open_scope();
    const Delayed<T> row = std::apply(f, std::tuple{slice_argument_of(a)...});
    close_scope(row.leaves().leaf, leaf_count<T>);
    struct {
        LeafRef leaf[leaf_count<T> + 2];
    } out;
    end_joined_vmap(args.leaf, args.count, out.leaf);
    return Ragged<T>(listed_array<T, 1>(out, 2), listed_array<std::int64_t, 1>(out, 1));
}

/// g(row i) for all rows, by whichever of the two: vmap, or vmap(ragged, ..).
template <class Apply, class T>
auto apply_to_rows(Apply apply, const Ragged<T>& rows, location where) {
    const Segments all = segments("vmap", rows.lengths(), where);
    const Delayed<T> values = rows.values();
    auto row = [=](const Exp<std::int64_t>& start, const Exp<std::int64_t>& length) {
        return slice(Operand<Delayed<T>>{values, where}, range(start, start + length));
    };
    return apply(row, all.starts, all.lengths);
}

}  // namespace detail

/// f of all slices, as vmap(f, a...), where f returns an array of rank 1 of another length for every slice: rows, one after
/// another. What decides the lengths is computed twice where it is not a size of something that is there.
template <class F, class A, class... As>
auto vmap(const RaggedResults&, F&& f, detail::Operand<A> a, detail::Operand<As>... as) {
    return detail::ragged_rows(a.where, f, *a.array, *as.array...);
}

/// f of all rows, which it gets as Delayed<T>: its results have one shape, as of vmap(f, a).
template <class F, class T>
auto vmap(F&& f, const Ragged<T>& rows, location where = location::current()) {
    return detail::apply_to_rows(
        [&](auto row, const auto& starts, const auto& lengths) {
            auto g = [&](const auto& start, const auto& length) { return f(row(start, length)); };
            return detail::vmap_arrays(where, g, starts, lengths);
        },
        rows, where);
}
/// f of all rows; its results are arrays of any length.
template <class F, class T>
auto vmap(const RaggedResults&, F&& f, const Ragged<T>& rows, location where = location::current()) {
    return detail::apply_to_rows(
        [&](auto row, const auto& starts, const auto& lengths) {
            auto g = [&](const auto& start, const auto& length) { return f(row(start, length)); };
            return detail::ragged_rows(where, g, starts, lengths);
        },
        rows, where);
}

/// f of every element: rows of the same lengths.
template <class F, class T>
auto map(F&& f, const Ragged<T>& rows, location where = location::current()) {
    auto values = detail::map_arrays("map", where, f, rows.values());
    return Ragged<element_t<decltype(values)>>(values, rows.lengths());
}

/// fold(op, init, row) of every row: an array of as many elements as there are rows.
template <class Op, class Init, class T>
auto fold_segments(Op&& op, const Init& init, const Ragged<T>& rows, location where = location::current()) {
    return fold_segments(op, init, detail::Operand<Delayed<T>>{rows.values(), where},
                         detail::Operand<Delayed<std::int64_t>>{rows.lengths(), where});
}
/// inclusive_scan(op, row) of every row; option: from_right.
template <class Op, class T, detail::SegmentOption... O>
Ragged<T> inclusive_scan_segments(Op&& op, const Ragged<T>& rows, const O&... option) {
    return {inclusive_scan_segments(op, rows.values(), rows.lengths(), option...), rows.lengths()};
}
/// exclusive_scan(op, init, row) of every row; option: from_right.
template <class Op, class Init, class T, detail::SegmentOption... O>
Ragged<T> exclusive_scan_segments(Op&& op, const Init& init, const Ragged<T>& rows, const O&... option) {
    return {exclusive_scan_segments(op, init, rows.values(), rows.lengths(), option...), rows.lengths()};
}

/// The sum of every row.
template <class T>
auto sum(const Ragged<T>& rows, location where = location::current()) {
    return fold_segments(std::plus<>{}, T{}, rows, where);
}

}  // namespace sinter
