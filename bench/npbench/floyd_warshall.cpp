// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shortest paths between all pairs, through one node more after each step.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index n = 400;

using Paths = Delayed<std::int32_t, 2>;
using Path = Exp<std::int32_t>;

void plain_paths(std::int32_t* path) {
#pragma omp parallel
    for (index k = 0; k < n; ++k) {
        const std::int32_t* through = path + k * n;
#pragma omp for schedule(static)
        for (index i = 0; i < n; ++i) {
            std::int32_t *row = path + i * n, first = row[k];
#pragma omp simd
            for (index j = 0; j < n; ++j) row[j] = std::min(row[j], first + through[j]);
        }
    }
}

Paths by_index(Paths path, I k) {
    return map_indexed([=](I i, I j, Path x) { return min(x, path(i, k) + path(k, j)); }, path);
}

Paths by_rows(Paths path, I k) {
    auto n = extent(path, 0);
    Delayed<std::int32_t> through = reshape(slice(path, range(k, k + 1), all), shape(n));
    Delayed<std::int32_t> first = reshape(slice(path, all, range(k, k + 1)), shape(n));
    return vmap([=](Delayed<std::int32_t> row, Path f) { return min(row, f + through); }, path, first);
}

/// As in NumPy: the outer sum of a column and a row.
Paths by_slices(Paths path, I k) {
    auto n = extent(path, 0);
    Delayed<std::int32_t> through = reshape(slice(path, range(k, k + 1), all), shape(n));
    Delayed<std::int32_t> first = reshape(slice(path, all, range(k, k + 1)), shape(n));
    return min(path, transpose(replicate(n, first)) + replicate(n, through));
}

}  // namespace

Kernel floyd_warshall() {
    Array<std::int32_t, 2> weights = run(generate(shape(n, n), [](I i, I j) {
        auto weight = (i * j) % 7 + 1;
        return cast<std::int32_t>(select((i + j) % 13 == 0 || (i + j) % 7 == 0 || (i + j) % 11 == 0, 999, weight));
    }));
    auto to = buffer<std::int32_t>(n * n);
    auto plain_call = [=] {
        std::copy_n(weights.data(), n * n, to->data());
        plain_paths(to->data());
    };
    auto in_loop = [=](Paths (*step)(Paths, I)) {
        auto f = compile([=](Paths path) { return for_loop(n, [=](I k, Paths p) { return step(p, k); }, path); });
        return [=] { return f(weights); };
    };
    auto by_calls = [=](Paths (*step)(Paths, I)) {
        return [=, f = compile(step)] {
            Array<std::int32_t, 2> path = weights;
            for (index k = 0; k < n; ++k) path = f(std::move(path), k);
            return path;
        };
    };
    return {"floyd_warshall",
            "400x400",
            0,
            {input("path", weights)},
            {plain("c++", plain_call, to), form("index", in_loop(by_index)), form("rows, vmap", in_loop(by_rows)),
             form("slices", in_loop(by_slices)), form("index, calls", by_calls(by_index))}};
}

}  // namespace bench::npb
