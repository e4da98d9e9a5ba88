// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix times a vector, then its transpose times the result.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index m = 1900, n = 2100;

/// Each row is read once for both products.
void plain_product(const double* a, const double* x, double* y) {
    std::fill_n(y, n, 0.);
#pragma omp parallel for reduction(+ : y[ : n])
    for (index i = 0; i < m; ++i) {
        const double* row = a + i * n;
        double t = 0;
#pragma omp simd reduction(+ : t)
        for (index j = 0; j < n; ++j) t += row[j] * x[j];
        for (index j = 0; j < n; ++j) y[j] += t * row[j];
    }
}

D1 nested(D2 a, D1 x) {
    D1 t = vmap([=](D1 row) { return sum(row * x); }, a);
    return vmap([=](D1 column) { return sum(column * t); }, transpose(a));
}

D1 by_axes(D2 a, D1 x) {
    auto m = extent(a, 0), n = extent(a, 1);
    D1 t = sum(a * replicate(m, x));
    return sum(a * broadcast(t, shape(m, n), axes(0)), axis(0));
}

D1 scaled_rows(D2 a, D1 x) {
    D1 t = vmap([=](D1 row) { return sum(row * x); }, a);
    return sum(vmap([](D1 row, R factor) { return factor * row; }, a, t), axis(0));
}

/// Row by row, each for both.
D1 row_by_row(D2 a, D1 x) {
    D2 contributions = vmap([=](D1 row) { return row * sum(row * x); }, a);
    return sum(contributions, axis(0));
}

D1 row_loop(D2 a, D1 x) {
    auto n = extent(a, 1);
    auto add = [=](I i, D1 y) {
        D1 row = reshape(slice(a, range(i, i + 1), all), shape(n));
        return y + row * sum(row * x);
    };
    return for_loop(extent(a, 0), add, fill(shape(n), 0.));
}

}  // namespace

Kernel atax() {
    A2 a = random_array(0., 1., m, n);
    A1 x = random_array(0., 1., n);
    auto y = buffer(n);
    auto of = [=](D1 (*f)(D2, D1)) { return [=, f = compile(f)] { return f(a, x); }; };
    return {"atax",
            "1900x2100",
            1e-11,
            {input("A", a), input("x", x)},
            {plain(
                 "c++", [=] { plain_product(a.data(), x.data(), y->data()); }, y),
             form("nested", of(nested)), form("axes", of(by_axes)), form("scaled rows", of(scaled_rows)),
             form("row by row", of(row_by_row)), form("row loop", of(row_loop))}};
}

}  // namespace bench::npb
