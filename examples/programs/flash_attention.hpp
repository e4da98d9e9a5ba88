// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// softmax(Q K^T) V, exactly, without a matrix of all pairs: keys and values come in tiles, and every row keeps a running
/// maximum and a running sum. Dao et al., FlashAttention (2022), algorithm 1, with all query tiles at once.
#pragma once

#include "common.hpp"

#include <algorithm>
#include <limits>

namespace programs {

using Matrix = Delayed<float, 2>;
using Tiles = Delayed<float, 3>;

/// Tiles of `rows` queries and `columns` keys, which both divide n, for n vectors of d numbers.
struct Tiling {
    std::int64_t n, d, rows, columns;
};
/// For a fast memory that holds m numbers.
inline Tiling tiling(std::int64_t n, std::int64_t d, std::int64_t m) {
    const std::int64_t columns = (m + 4 * d - 1) / (4 * d);
    return {n, d, std::min(columns, d), columns};
}

/// Rows are divided by their sum in every round (early), or once at the end (late).
enum class Division { early, late };

inline Matrix flash_attention(const Tiling& t, Matrix q, Matrix k, Matrix v, Division division = Division::late) {
    using Rows = Delayed<float, 2>;  // one number per query: tile, row
    const std::int64_t count = t.n / t.rows;
    Tiles queries = reshape(q, shape(count, t.rows, t.d));
    auto along = [=](Rows x, std::int64_t extent) { return broadcast(x, shape(count, t.rows, extent), axes(0, 1)); };
    auto scaled = [=](Rows factor, Tiles x, std::int64_t extent) { return along(factor, extent) * x; };

    auto round = [=](Exp<std::int64_t> j, Tiles o, Rows top, Rows total) {
        auto tile = [=](Matrix x) {
            return generate(shape(t.columns, t.d), [=](auto row, auto i) { return x(j * t.columns + row, i); });
        };
        Matrix key = tile(k), value = tile(v);
        auto every = shape(count, t.rows, t.columns, t.d);
        Tiles s = sum(broadcast(queries, every, axes(0, 1, 3)) * broadcast(key, every, axes(2, 3)));
        Rows highest = max(s);
        Tiles e = exp(s - along(highest, t.columns));
        Rows next_top = map([](auto a, auto b) { return max(a, b); }, top, highest);
        Rows keep = exp(top - next_top), add = exp(highest - next_top);
        Rows next_total = keep * total + add * sum(e);
        auto outputs = shape(count, t.rows, t.d, t.columns);
        Tiles f = scaled(add, e, t.columns);
        Tiles p = sum(broadcast(f, outputs, axes(0, 1, 3)) * broadcast(transpose(value), outputs, axes(2, 3)));
        Tiles next = division == Division::early ? (scaled(total * keep, o, t.d) + p) / along(next_total, t.d)
                                                 : scaled(keep, o, t.d) + p;
        return std::tuple(next, next_top, next_total);
    };
    Tiles zero = fill(shape(count, t.rows, t.d), 0.f);
    Rows lowest = fill(shape(count, t.rows), -std::numeric_limits<float>::max()), none = fill(shape(count, t.rows), 0.f);
    auto [o, top, total] = for_loop(t.n / t.columns, round, zero, lowest, none);
    Tiles result = division == Division::early ? o : o / along(total, t.d);
    return reshape(result, shape(t.n, t.d));
}

/// Rows of a times rows of b.
inline Matrix times_transposed(Matrix a, Matrix b) {
    return vmap([=](Delayed<float> x) { return vmap([=](Delayed<float> y) { return sum(x * y); }, b); }, a);
}
/// Combines each row with a number.
template <class F>
Matrix by_rows(F f, Matrix a, Delayed<float> factors) {
    return vmap([=](Delayed<float> row, Exp<float> x) { return map([=](Exp<float> v) { return f(v, x); }, row); }, a,
                factors);
}

/// The same, nested: for each query tile a loop over the key tiles, with the division at the end.
inline Matrix flash_attention_nested(const Tiling& t, Matrix q, Matrix k, Matrix v) {
    using Vector = Delayed<float>;
    const auto times = [](auto a, auto b) { return a * b; };
    auto attend = [=](Matrix queries) {
        auto round = [=](Exp<std::int64_t> j, Matrix o, Vector top, Vector total) {
            auto tile = [=](Matrix x) {
                return generate(shape(t.columns, t.d), [=](auto row, auto i) { return x(j * t.columns + row, i); });
            };
            Matrix s = times_transposed(queries, tile(k));
            Vector next_top = map([](auto a, auto b) { return max(a, b); }, top, max(s));
            Matrix e = by_rows([](auto x, auto highest) { return exp(x - highest); }, s, next_top);
            Vector keep = exp(top - next_top);
            Matrix next = by_rows(times, o, keep) + times_transposed(e, transpose(tile(v)));
            return std::tuple(next, next_top, keep * total + sum(e));
        };
        Matrix zero = fill(shape(t.rows, t.d), 0.f);
        Vector lowest = fill(shape(t.rows), -std::numeric_limits<float>::max()), none = fill(shape(t.rows), 0.f);
        auto [o, top, total] = for_loop(t.n / t.columns, round, zero, lowest, none);
        return by_rows([](auto x, auto y) { return x / y; }, o, total);
    };
    return reshape(vmap(attend, reshape(q, shape(t.n / t.rows, t.rows, t.d))), shape(t.n, t.d));
}

/// As the formula says, with flat arrays.
template <class T>
Delayed<T, 2> attention(std::int64_t n, std::int64_t d, Delayed<T, 2> q, Delayed<T, 2> k, Delayed<T, 2> v) {
    auto along = [=](Delayed<T> x, std::int64_t extent) { return broadcast(x, shape(n, extent), axes(0)); };
    auto pairs = shape(n, n, d), outputs = shape(n, d, n);
    Delayed<T, 2> s = sum(broadcast(q, pairs, axes(0, 2)) * broadcast(k, pairs, axes(1, 2)));
    Delayed<T, 2> e = exp(s - along(max(s), n));
    Delayed<T, 2> weighed = sum(broadcast(e, outputs, axes(0, 2)) * broadcast(transpose(v), outputs, axes(1, 2)));
    return weighed / along(sum(e), d);
}

/// As the formula says, nested: for each query.
template <class T>
Delayed<T, 2> attention_nested(Delayed<T, 2> q, Delayed<T, 2> k, Delayed<T, 2> v) {
    return vmap(
        [=](Delayed<T> query) {
            Delayed<T> s = vmap([=](Delayed<T> key) { return sum(query * key); }, k);
            auto top = max(s);
            Delayed<T> e = map([=](Exp<T> x) { return exp(x - top()); }, s);
            auto total = sum(e);
            return vmap([=](Delayed<T> column) { return sum(e * column) / total; }, transpose(v));
        },
        q);
}

template <class T = float>
Array<T, 2> attention_input(std::uint64_t stream, std::int64_t n, std::int64_t d) {
    return make_input<2>({n, d}, [=](Exp<std::int64_t> i) { return cast<T>(symmetric32(stream, i)); });
}

}  // namespace programs
