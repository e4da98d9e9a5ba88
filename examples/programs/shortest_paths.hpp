// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lengths of the shortest paths between all pairs of nodes of a directed graph, from its matrix of weights.
#pragma once

#include "common.hpp"

#include <bit>
#include <limits>

namespace programs {

/// The weight where there is no edge.
template <class T>
inline constexpr T no_path = 1 << 29;
template <>
inline constexpr float no_path<float> = std::numeric_limits<float>::infinity();

template <class T>
using Distances = Delayed<T, 2>;

/// The matrix product with min in place of + and + in place of *: replicates both matrices, combines, folds.
template <class T>
Distances<T> min_plus_product(const Distances<T>& a, const Distances<T>& b) {
    auto m = extent(a, 0), k = extent(a, 1), n = extent(b, 1);
    auto a3 = broadcast(a, shape(m, n, k), axes(0, 2));
    auto b3 = replicate(m, transpose(b));
    return fold([](auto x, auto y) { return min(x, y); }, no_path<T>, a3 + b3);
}

/// The same, nested: rows of a combined with columns of b.
template <class T>
Distances<T> min_plus_product_nested(const Distances<T>& a, const Distances<T>& b) {
    return vmap([=](Delayed<T> row) { return vmap([=](Delayed<T> column) { return min(row + column); }, transpose(b)); }, a);
}

/// By squaring: after r rounds, the shortest paths with at most 2^r edges.
template <class T>
Distances<T> shortest_paths(const Distances<T>& weights, int rounds) {
    return for_loop(rounds, [](Exp<std::int64_t>, Distances<T> d) { return min_plus_product(d, d); }, weights);
}
/// The number of rounds that suffices for n nodes.
inline int rounds_for(std::int64_t n) {
    return n <= 2 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 2)));
}

/// By squaring until nothing changes.
template <class T>
Distances<T> shortest_paths_until_stable(const Distances<T>& weights) {
    auto changing = [](Distances<T>, Exp<bool> changed) { return changed; };
    auto next = [](Distances<T> d, Exp<bool>) {
        auto squared = min_plus_product(d, d);
        return std::tuple(squared, any(squared != d, axes(0, 1)));
    };
    return std::get<0>(while_loop(changing, next, weights, true));
}

/// Floyd and Warshall: paths through the nodes 0, ..., k.
template <class T>
Distances<T> floyd_warshall(const Distances<T>& weights, std::int64_t n) {
    auto through = [](Exp<std::int64_t> k, Distances<T> d) {
        return map_indexed(
            [=](Exp<std::int64_t> i, Exp<std::int64_t> j, Exp<T> path) { return min(path, d(i, k) + d(k, j)); }, d);
    };
    return for_loop(n, through, weights);
}

/// A graph in which about every sixteenth pair has an edge.
template <class T = std::int32_t>
Array<T, 2> sparse_graph(std::int64_t n) {
    return run(generate(shape(n, n), [=](Exp<std::int64_t> i, Exp<std::int64_t> j) {
        auto h = bits(4, i * n + j);
        auto weight = 1 + cast<T>((h >> 32) % 1000);
        return select(i == j, Exp<T>(0), select(h % 16 == 0, weight, no_path<T>));
    }));
}

}  // namespace programs
