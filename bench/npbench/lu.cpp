// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LU factorisation without pivoting, both factors in one matrix.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index n = 400;

void plain_lu(double* a) {
#pragma omp parallel
    for (index k = 0; k < n - 1; ++k) {
        const double* pivot = a + k * n;
#pragma omp for schedule(static)
        for (index i = k + 1; i < n; ++i) {
            double* row = a + i * n;
            const double factor = row[k] /= pivot[k];
            for (index j = k + 1; j < n; ++j) row[j] -= factor * pivot[j];
        }
    }
}

/// Blocks of columns: a block is factorised, then everything to its right and below takes all of its steps in one pass.
void blocked_lu(double* a) {
    constexpr index w = 40;
#pragma omp parallel
    for (index b = 0; b < n; b += w) {
        const index end = std::min(b + w, n);
        for (index k = b; k < end; ++k) {
#pragma omp for schedule(static)
            for (index i = k + 1; i < n; ++i) {
                double* row = a + i * n;
                const double factor = row[k] /= a[k * n + k];
                for (index j = k + 1; j < end; ++j) row[j] -= factor * a[k * n + j];
            }
        }
#pragma omp for schedule(static)
        for (index j0 = end; j0 < n; j0 += w)
            for (index i = b + 1; i < end; ++i)
                for (index k = b; k < i; ++k)
                    for (index j = j0; j < std::min(j0 + w, n); ++j) a[i * n + j] -= a[i * n + k] * a[k * n + j];
#pragma omp for schedule(static)
        for (index i = end; i < n; ++i)
            for (index k = b; k < end; k += 4) {
                const double *l = a + i * n + k, *u = a + k * n;
                double* row = a + i * n;
                for (index j = end; j < n; ++j)
                    row[j] = row[j] - l[0] * u[j] - l[1] * u[n + j] - l[2] * u[2 * n + j] - l[3] * u[3 * n + j];
            }
    }
}

/// As in NPBench: element by element, each a product of a row and a column of what has been computed.
D2 by_elements(D2 a) {
    auto n = extent(a, 0);
    auto dot = [](D2 a, I i, I j, I count) {
        auto row = reshape(slice(a, range(i, i + 1), range(0, count)), shape(count));
        auto column = reshape(slice(a, range(0, count), range(j, j + 1)), shape(count));
        return sum(row * column);
    };
    auto value = [](D2 a, I i, I j) { return map([=](I) { return a(i, j); }, iota(1)); };
    auto lower = [=](I i) {
        return [=](I j, D2 a) {
            auto k = min(i, j);
            auto rest = value(a, i, j) - dot(a, i, j, k);
            D1 entry = map([=](R x) { return select(j < i, x / a(j, j), x); }, rest);
            return update(a, range(i, i + 1), range(j, j + 1), reshape(entry, shape(1, 1)));
        };
    };
    return for_loop(n, [=](I i, D2 a) { return for_loop(n, lower(i), a); }, a);
}

/// Each row at once: right-looking elimination, of the whole matrix by index.
D2 by_index(D2 a) {
    auto step = [](I k, D2 a) {
        return map_indexed(
            [=](I i, I j, R x) {
                auto factor = a(i, k) / a(k, k);
                return cond(
                    i > k && j >= k, [&] { return select(j == k, factor, x - factor * a(k, j)); }, [&] { return x; });
            },
            a);
    };
    return for_loop(extent(a, 0) - 1, step, a);
}

D2 by_slices(D2 a) {
    auto n = extent(a, 0);
    auto step = [=](I k, D2 a) {
        auto below = range(k + 1, n), here = range(k, k + 1);
        auto column = map([=](R x) { return x / a(k, k); }, slice(a, below, here));
        a = update(a, below, here, column);
        auto rest = n - k - 1;
        D1 left = reshape(slice(a, below, here), shape(rest)), top = reshape(slice(a, here, below), shape(rest));
        auto outer = transpose(replicate(rest, left)) * replicate(rest, top);
        return update(a, below, below, slice(a, below, below) - outer);
    };
    return for_loop(n - 1, step, a);
}

/// The same with the outer product as rows.
D2 by_rows(D2 a) {
    auto n = extent(a, 0);
    auto step = [=](I k, D2 a) {
        auto below = range(k + 1, n), here = range(k, k + 1);
        auto rest = n - k - 1;
        D1 left = map([=](R x) { return x / a(k, k); }, reshape(slice(a, below, here), shape(rest)));
        D1 top = reshape(slice(a, here, below), shape(rest));
        D2 block = vmap([=](D1 row, R factor) { return row - factor * top; }, slice(a, below, below), left);
        return update(update(a, below, k, left), below, below, block);
    };
    return for_loop(n - 1, step, a);
}

}  // namespace

Kernel lu() {
    std::vector<double> values = random_array(0., 1., n, n).to_vector();
    for (index i = 0; i < n; ++i) values[static_cast<std::size_t>(i * n + i)] += n;
    A2 a = from(values, shape(n, n));
    const auto to = buffer(n * n);
    return {"lu",
            "400x400",
            1e-10,
            {input("A", a)},
            {plain_on_copy("c++", a, plain_lu, to), plain_on_copy("c++ blocked", a, blocked_lu, to),
             form_of("slices", a, by_slices), form_of("rows, vmap", a, by_rows), form_of("index", a, by_index),
             form_of("elements", a, by_elements)}};
}

}  // namespace bench::npb
