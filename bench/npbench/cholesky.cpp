// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cholesky factorisation; what is above the diagonal is left unchanged.
#include "suite.hpp"

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index n = 400;

void plain_cholesky(double* a) {
    for (index i = 0; i < n; ++i) {
        double* row = a + i * n;
        for (index j = 0; j < i; ++j) {
            const double* other = a + j * n;
            double t = 0;
#pragma omp simd reduction(+ : t)
            for (index k = 0; k < j; ++k) t += row[k] * other[k];
            row[j] = (row[j] - t) / other[j];
        }
        double t = 0;
#pragma omp simd reduction(+ : t)
        for (index k = 0; k < i; ++k) t += row[k] * row[k];
        row[i] = std::sqrt(row[i] - t);
    }
}

/// Column by column, rows side by side: each is the sum over the columns before it.
void parallel_cholesky(double* a) {
#pragma omp parallel
    for (index j = 0; j < n; ++j) {
        const double* pivot = a + j * n;
#pragma omp single
        {
            double t = 0;
#pragma omp simd reduction(+ : t)
            for (index k = 0; k < j; ++k) t += pivot[k] * pivot[k];
            a[j * n + j] = std::sqrt(pivot[j] - t);
        }
#pragma omp for schedule(static)
        for (index i = j + 1; i < n; ++i) {
            double *row = a + i * n, t = 0;
#pragma omp simd reduction(+ : t)
            for (index k = 0; k < j; ++k) t += row[k] * pivot[k];
            row[j] = (row[j] - t) / pivot[j];
        }
    }
}

/// As in NPBench: row by row, element by element.
D2 by_elements(D2 a) {
    auto element = [=](I i) {
        return [=](I j, D2 a) {
            auto part = [=](I r) { return reshape(slice(a, range(r, r + 1), range(0, j)), shape(j)); };
            auto rest = map([=](R t) { return a(i, j) - t; }, reshape(sum(part(i) * part(j)), shape(1)));
            D1 entry = map([=](R x) { return select(i == j, sqrt(x), x / a(j, j)); }, rest);
            return update(a, range(i, i + 1), range(j, j + 1), reshape(entry, shape(1, 1)));
        };
    };
    return for_loop(extent(a, 0), [=](I i, D2 a) { return for_loop(i + 1, element(i), a); }, a);
}

/// Column by column: a column is a product of the matrix left of it with a row.
D2 by_columns(D2 a) {
    auto n = extent(a, 0);
    auto step = [=](I j, D2 a) {
        auto here = range(j, j + 1), left = range(0, j), down = range(j, n);
        D1 row = reshape(slice(a, here, left), shape(j));
        D1 column = reshape(slice(a, down, here), shape(n - j));
        D1 rest = vmap([=](D1 r, R x) { return x - sum(r * row); }, slice(a, down, left), column);
        D1 factor = map_indexed(
            [=](I i, R x) {
                auto pivot = sqrt(rest(I(0)));
                return select(i == 0, pivot, x / pivot);
            },
            rest);
        return update(a, down, j, factor);
    };
    return for_loop(n, step, a);
}

/// Right-looking: the rest of the matrix takes each column as soon as it is known.
D2 by_slices(D2 a) {
    auto n = extent(a, 0);
    auto step = [=](I k, D2 a) {
        auto below = range(k + 1, n), here = range(k, k + 1);
        auto rest = n - k - 1;
        D2 pivot = map([](R x) { return sqrt(x); }, slice(a, here, here));
        D1 column = map([=](R x) { return x / sqrt(a(k, k)); }, reshape(slice(a, below, here), shape(rest)));
        D2 block =
            map_indexed([=](I i, I j, R x) { return select(j <= i, x - column(i) * column(j), x); }, slice(a, below, below));
        a = update(a, here, here, pivot);
        a = update(a, below, k, column);
        return update(a, below, below, block);
    };
    return for_loop(n, step, a);
}

D2 by_index(D2 a) {
    auto step = [](I k, D2 a) {
        return map_indexed(
            [=](I i, I j, R x) {
                auto pivot = sqrt(a(k, k));
                auto changed = select(j == k, select(i == k, pivot, x / pivot), x - a(i, k) / pivot * (a(j, k) / pivot));
                return select(i >= j && j >= k, changed, x);
            },
            a);
    };
    return for_loop(extent(a, 0), step, a);
}

}  // namespace

Kernel cholesky() {
    std::vector<double> values = random_array(0., 1., n, n).to_vector();
    for (index i = 0; i < n; ++i)
        for (index j = 0; j <= i; ++j)
            values[static_cast<std::size_t>(j * n + i)] = values[static_cast<std::size_t>(i * n + j)] += i == j ? n : 0;
    A2 a = from(values, shape(n, n));
    const auto to = buffer(n * n);
    return {"cholesky",
            "400x400",
            1e-10,
            {input("A", a)},
            {plain_on_copy("c++", a, plain_cholesky, to), plain_on_copy("c++ columns", a, parallel_cholesky, to),
             form_of("columns", a, by_columns), form_of("slices", a, by_slices), form_of("index", a, by_index),
             form_of("elements", a, by_elements)}};
}

}  // namespace bench::npb
