// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ragged<T>: rows of different lengths, as their elements one after another, and the lengths. Ragged<T, Rank>: arrays of
/// different extents, in the same way. Results of vmap(ragged, f, a), where f returns an array of another shape for every
/// slice. Not part of sinter.hpp.
///
/// Blelloch, Vector Models for Data-Parallel Computing (1990), 4.2, holds nested sequences so: operations on all rows are
/// operations on all elements, or segmented scans.
#pragma once

#include <sinter/combinators/fold.hpp>
#include <sinter/combinators/from.hpp>
#include <sinter/combinators/segments.hpp>
#include <sinter/combinators/slice.hpp>
#include <sinter/combinators/update.hpp>
#include <sinter/combinators/view.hpp>
#include <sinter/combinators/vmap.hpp>
#include <sinter/combinators/zip.hpp>
#include <sinter/detail/joined.hpp>
#include <sinter/run.hpp>

#include <array>
#include <tuple>
#include <utility>
#include <vector>

namespace sinter {

/// Arrays of elements T of this rank and of different shapes, not computed yet. Cheap to copy.
template <class T, int Rank = 1>
class Ragged {
  public:
    using element_type = T;
    using Extents = std::array<Delayed<std::int64_t>, static_cast<std::size_t>(Rank)>;

    Ragged() = default;
    /// The first extents[0](0) * extents[1](0) * ... of the values are array 0, in row-major order, and so on. ShapeError
    /// where the arrays are used if these do not add up to the values.
    Ragged(Delayed<T> values, Extents extents) : values_(std::move(values)), extents_(std::move(extents)) {}

    /// All elements, array after array.
    const Delayed<T>& values() const { return values_; }
    /// Along each axis, the extents of all arrays.
    const Extents& extents() const { return extents_; }
    /// The numbers of elements.
    Delayed<std::int64_t> lengths(location where = location::current()) const {
        auto product = [](const auto&... each) { return (each * ...); };
        return std::apply([&](const auto&... each) { return detail::map_arrays("map", where, product, each...); }, extents_);
    }

    /// The arrays, computed.
    std::vector<Array<T, Rank>> to_arrays(const Options& options = {}, location where = location::current()) const {
        return std::apply([&](const auto&... extents) { return arrays(where, run(values_, extents..., options, where)); },
                          extents_);
    }

  private:
    /// `computed`: the values and the extents.
    template <class Computed>
    static std::vector<Array<T, Rank>> arrays(location where, const Computed& computed) {
        return std::apply(
            [&](const auto& values, const auto&... extents) {
                const std::vector<T> elements = values.to_vector(where);
                std::vector<Array<T, Rank>> made;
                auto next = elements.begin();
                for (std::int64_t k = 0; k < std::get<1>(computed).shape(where)[0]; ++k) {
                    const std::int64_t length = (extents(k) * ...);
                    made.push_back(from(std::vector<T>(next, next + length), shape(extents(k)...)));
                    next += length;
                }
                return made;
            },
            computed);
    }

    Delayed<T> values_;
    Extents extents_;
};

/// Rows of elements T, not computed yet. Cheap to copy.
template <class T>
class Ragged<T, 1> {
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

template <class T>
Ragged(Delayed<T>, Delayed<std::int64_t>) -> Ragged<T>;

/// The same rows, computed and kept.
template <class T>
Ragged<T> run(const Ragged<T>& rows, const Options& options = {}, location where = location::current()) {
    const auto [values, lengths] = run(rows.values(), rows.lengths(), options, where);
    return {values, lengths};
}

/// The same arrays, computed and kept.
template <class T, int Rank>
Ragged<T, Rank> run(const Ragged<T, Rank>& arrays, const Options& options = {}, location where = location::current()) {
    return std::apply(
        [&](const auto&... extents) {
            auto keep = [](const auto& values, const auto&... kept) {
                return Ragged<T, Rank>(values, typename Ragged<T, Rank>::Extents{Delayed<std::int64_t>(kept)...});
            };
            return std::apply(keep, run(arrays.values(), extents..., options, where));
        },
        arrays.extents());
}

/// As the first argument of vmap: the function's results may have different shapes.
struct RaggedResults {};
inline constexpr RaggedResults ragged{};

namespace detail {

/// f of each slice; the results' elements one after another.
template <class F, class... A>
auto ragged_rows(location where, F& f, const A&... a) {
    using Row = decltype(f(slice_argument_of(a)...));
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

/// f of each slice; results of rank 1 are rows, others are flattened, and their extents kept.
template <class F, class... A>
auto ragged_results(location where, F& f, const A&... a) {
    using Result = decltype(f(slice_argument_of(a)...));
    static_assert(ArrayLike<Result>, "vmap(ragged, f, a): f returns an array; of numbers write vmap(f, a)");
    static_assert(rank_v<Result> >= 1,
                  "vmap(ragged, f, a): f returns an array of rank 1 or more; of numbers write vmap(f, a)");
    if constexpr (rank_v<Result> == 1) {
        return ragged_rows(where, f, a...);
    } else {
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
            auto elements = [&](const auto&... each) { return flatten(f(each...), where); };
            auto shapes = [&](const auto&... each) {
                const auto result = f(each...);
                return std::tuple(extent(result, K)...);
            };
            const auto extents = unzip(vmap_arrays(where, shapes, a...));
            using Made = Ragged<element_t<Result>, rank_v<Result>>;
            return Made(ragged_rows(where, elements, a...).values(), {Delayed<std::int64_t>(std::get<K>(extents))...});
        }(std::make_index_sequence<static_cast<std::size_t>(rank_v<Result>)>());
    }
}

/// apply(the function that makes slice i, what it takes for all i): for vmap, or vmap(ragged, ..).
template <class Apply, class T, int Rank>
auto apply_to_rows(Apply apply, const Ragged<T, Rank>& rows, location where) {
    const Segments all = segments("vmap", rows.lengths(), where);
    const Delayed<T> values = rows.values();
    auto row = [=](const Exp<std::int64_t>& start, const Exp<std::int64_t>& length, const auto&... extents) {
        const auto elements = slice(Operand<Delayed<T>>{values, where}, range(start, start + length));
        if constexpr (Rank == 1)
            return elements;
        else
            return reshape(elements, shape(extents...), where);
    };
    if constexpr (Rank == 1)
        return apply(row, all.starts, all.lengths);
    else
        return std::apply([&](const auto&... extents) { return apply(row, all.starts, all.lengths, extents...); },
                          rows.extents());
}

}  // namespace detail

/// f of all slices, as vmap(f, a...), where f returns an array of another shape for every slice: a Ragged of the rank of
/// these. What decides the shapes is computed twice where it is not a size of something that is there.
template <class F, class A, class... As>
auto vmap(const RaggedResults&, F&& f, detail::Operand<A> a, detail::Operand<As>... as) {
    return detail::ragged_results(a.where, f, *a.array, *as.array...);
}

/// f of all rows, which it gets as Delayed<T>, or of all arrays of another rank: its results have one shape, as of vmap(f,
/// a).
template <class F, class T, int Rank>
auto vmap(F&& f, const Ragged<T, Rank>& rows, location where = location::current()) {
    return detail::apply_to_rows(
        [&](auto row, const auto&... args) {
            auto g = [&](const auto&... each) { return f(row(each...)); };
            return detail::vmap_arrays(where, g, args...);
        },
        rows, where);
}
/// f of all rows or arrays; its results have any shape.
template <class F, class T, int Rank>
auto vmap(const RaggedResults&, F&& f, const Ragged<T, Rank>& rows, location where = location::current()) {
    return detail::apply_to_rows(
        [&](auto row, const auto&... args) {
            auto g = [&](const auto&... each) { return f(row(each...)); };
            return detail::ragged_results(where, g, args...);
        },
        rows, where);
}

/// f of every element: rows, or arrays, of the same extents.
template <class F, class T, int Rank>
auto map(F&& f, const Ragged<T, Rank>& rows, location where = location::current()) {
    auto values = detail::map_arrays("map", where, f, rows.values());
    using Made = Ragged<element_t<decltype(values)>, Rank>;
    if constexpr (Rank == 1)
        return Made(values, rows.lengths());
    else
        return Made(values, rows.extents());
}

/// fold(op, init, row) of every row, or of all elements of every array: as many elements as there are rows.
template <class Op, class Init, class T, int Rank>
auto fold_segments(Op&& op, const Init& init, const Ragged<T, Rank>& rows, location where = location::current()) {
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

/// The sum of every row, or of every array.
template <class T, int Rank>
auto sum(const Ragged<T, Rank>& rows, location where = location::current()) {
    return fold_segments(std::plus<>{}, T{}, rows, where);
}

}  // namespace sinter
