// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sparse matrix in compressed rows times a vector.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index rows = 100'000, columns = 100'000;

using Indices = Delayed<std::int32_t>;

void plain_product(const std::int32_t* start, const std::int32_t* column, const double* value, const double* x, double* y) {
#pragma omp parallel for schedule(static)
    for (index r = 0; r < rows; ++r) {
        double t = 0;
#pragma omp simd reduction(+ : t)
        for (std::int32_t e = start[r]; e < start[r + 1]; ++e) t += value[e] * x[column[e]];
        y[r] = t;
    }
}

D1 by_segments(Indices start, Indices column, D1 value, D1 x) {
    auto lengths = cast<index>(drop(start, 1) - take(start, size(start) - 1));
    return fold_segments(std::plus<>{}, 0., value * gather(column, x), lengths);
}

/// A loop over the entries of each row.
D1 by_loops(Indices start, Indices column, D1 value, D1 x) {
    return map(
        [=](I r) {
            auto first = cast<index>(start(r));
            return for_loop(
                cast<index>(start(r + 1)) - first, [=](I k, R t) { return t + value(first + k) * x(column(first + k)); },
                R(0.));
        },
        iota(size(start) - 1));
}

/// Every entry's row, and a scatter that adds.
D1 by_scatter(Indices start, Indices column, D1 value, D1 x) {
    auto lengths = cast<index>(drop(start, 1) - take(start, size(start) - 1));
    auto n = size(lengths);
    auto row = expand([=](I r) { return lengths(r); }, [](I r, I) { return r; }, iota(n));
    return histogram(n, std::plus<>{}, 0., row, value * gather(column, x));
}

/// Differences of a running sum at the ends of the rows.
D1 by_scan(Indices start, Indices column, D1 value, D1 x) {
    auto so_far = inclusive_scan(std::plus<>{}, value * gather(column, x));
    return map(
        [=](I r) {
            auto up_to = [=](Exp<std::int32_t> e) {
                return cond(e > 0, [=] { return so_far(e - 1); }, [=] { return R(0.); });
            };
            return up_to(start(r + 1)) - up_to(start(r));
        },
        iota(size(start) - 1));
}

}  // namespace

Kernel spmv() {
    std::mt19937_64 random(3);
    std::vector<std::int32_t> start{0}, column;
    for (index r = 0; r < rows; ++r) {
        for (index k = 0, length = 5 + index(random() % 31); k < length; ++k)
            column.push_back(std::int32_t(random() % columns));
        std::sort(column.begin() + start.back(), column.end());
        start.push_back(static_cast<std::int32_t>(column.size()));
    }
    Array<std::int32_t> starts = from(start), places = from(column);
    A1 value = random_array(0., 1., column.size()), x = random_array(0., 1., columns);
    auto y = buffer(rows);
    auto of = [=](D1 (*f)(Indices, Indices, D1, D1)) { return [=, f = compile(f)] { return f(starts, places, value, x); }; };
    return {"spmv",
            "100000 rows, 2 million entries",
            1e-9,
            {input("A_row", starts), input("A_col", places), input("A_val", value), input("x", x)},
            {plain(
                 "c++", [=] { plain_product(starts.data(), places.data(), value.data(), x.data(), y->data()); }, y),
             form("segments", of(by_segments)), form("index loops", of(by_loops)), form("scatter", of(by_scatter)),
             form("scan", of(by_scan))}};
}

}  // namespace bench::npb
