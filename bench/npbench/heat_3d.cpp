// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heat that spreads in a cube, from one array to the other and back; the faces stay.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index n = 100, steps = 20, plane = n * n;

void spread_row(const double* from, double* to, index i, index j) {
    const double* x = from + i * plane + j * n;
    double* y = to + i * plane + j * n;
    for (index k = 1; k < n - 1; ++k)
        y[k] = 0.125 * (x[k + plane] - 2 * x[k] + x[k - plane]) + 0.125 * (x[k + n] - 2 * x[k] + x[k - n]) +
               0.125 * (x[k + 1] - 2 * x[k] + x[k - 1]) + x[k];
}

void plain_steps(double* a, double* b) {
#pragma omp parallel
    for (index t = 0; t < steps; ++t) {
#pragma omp for
        for (index i = 1; i < n - 1; ++i)
            for (index j = 1; j < n - 1; ++j) spread_row(a, b, i, j);
#pragma omp for
        for (index i = 1; i < n - 1; ++i)
            for (index j = 1; j < n - 1; ++j) spread_row(b, a, i, j);
    }
}

/// Both sweeps of a step in one pass: the second follows the first a plane behind. Blocks of planes compute the plane before
/// and the one after them themselves, in copies of b.
void tiled_steps(double* a, double* b) {
    constexpr index block = 20;
    std::vector<double> next(a, a + n * plane), copies(static_cast<std::size_t>(n / block * (block + 2) * plane));
#pragma omp parallel
    {
        for (index t = 0; t < steps; ++t) {
            double *from = t % 2 == 0 ? a : next.data(), *to = t % 2 == 0 ? next.data() : a;
#pragma omp for schedule(static)
            for (index start = 0; start < n; start += block) {
                double* base = copies.data() + start / block * (block + 2) * plane - (start - 1) * plane;
                for (index i = start - 1; i < start + block + 2; ++i) {
                    if (i >= 0 && i < n && i < start + block + 1) {
                        if (t == 0) std::copy_n(b + i * plane, plane, base + i * plane);
                        if (i > 0 && i < n - 1)
                            for (index j = 1; j < n - 1; ++j) spread_row(from, base, i, j);
                    }
                    const index before = i - 1;
                    if (before < std::max<index>(start, 1) || before >= std::min(start + block, n - 1)) continue;
                    for (index j = 1; j < n - 1; ++j) spread_row(base, to, before, j);
                }
                if (t == steps - 1)
                    for (index i = start; i < start + block; ++i) std::copy_n(base + i * plane, plane, b + i * plane);
            }
        }
    }
    static_assert(steps % 2 == 0 && n % block == 0);
}

template <class Half>
auto both_ways(Half half) {
    return compile([=](D3 a, D3 b) {
        return for_loop(
            steps,
            [=](I, D3 a, D3 b) {
                D3 b2 = half(a, b);
                D3 a2 = half(b2, a);
                return std::tuple(a2, b2);
            },
            a, b);
    });
}

D3 by_slices(D3 a, D3 b) {
    auto n = extent(a, 0);
    auto low = range(0, n - 2), mid = range(1, n - 1), high = range(2, n);
    auto middle = slice(a, mid, mid, mid);
    auto sum = 0.125 * (slice(a, high, mid, mid) - 2. * middle + slice(a, low, mid, mid)) +
               0.125 * (slice(a, mid, high, mid) - 2. * middle + slice(a, mid, low, mid)) +
               0.125 * (slice(a, mid, mid, high) - 2. * middle + slice(a, mid, mid, low)) + middle;
    return update(b, mid, mid, mid, sum);
}

auto inside(D3 a) {
    auto n = extent(a, 0);
    return [=](I i, I j, I k) { return i > 0 && i < n - 1 && j > 0 && j < n - 1 && k > 0 && k < n - 1; };
}

D3 by_stencil(D3 a, D3 b) {
    auto sum = stencil(
        [](auto s) {
            auto x = s(0, 0, 0);
            return 0.125 * (s(1, 0, 0) - 2. * x + s(-1, 0, 0)) + 0.125 * (s(0, 1, 0) - 2. * x + s(0, -1, 0)) +
                   0.125 * (s(0, 0, 1) - 2. * x + s(0, 0, -1)) + x;
        },
        boundary::clamp, a);
    return map_indexed([=, in = inside(a)](I i, I j, I k, R x, R old) { return select(in(i, j, k), x, old); }, sum, b);
}

D3 by_index(D3 a, D3 b) {
    auto n = extent(a, 0);
    return generate(shape(n, n, n), [=, in = inside(a)](I i, I j, I k) {
        auto spread = [&] {
            auto x = a(i, j, k);
            return 0.125 * (a(i + 1, j, k) - 2. * x + a(i - 1, j, k)) + 0.125 * (a(i, j + 1, k) - 2. * x + a(i, j - 1, k)) +
                   0.125 * (a(i, j, k + 1) - 2. * x + a(i, j, k - 1)) + x;
        };
        return cond(in(i, j, k), spread, [&] { return b(i, j, k); });
    });
}

template <class Half>
auto by_calls(Half half, A3 a, A3 b) {
    auto step = compile([=](D3 a, D3 b) {
        D3 b2 = half(a, b);
        return std::tuple(half(b2, a), b2);
    });
    return [=] {
        A3 x = a, y = b;
        for (index t = 0; t < steps; ++t) std::tie(x, y) = step(std::move(x), std::move(y));
        return std::tuple(x, y);
    };
}

}  // namespace

Kernel heat_3d() {
    A3 a = random_array(0., 1., n, n, n), b = random_array(0., 1., n, n, n);
    auto x = buffer(n * plane), y = buffer(n * plane);
    auto on_copies = [=](auto f) {
        return [=] {
            std::copy_n(a.data(), n * plane, x->data());
            std::copy_n(b.data(), n * plane, y->data());
            f(x->data(), y->data());
        };
    };
    auto in_loop = [=](auto half) { return [=, f = both_ways(half)] { return f(a, b); }; };
    return {"heat_3d",
            "100x100x100, 20 steps",
            1e-12,
            {input("a", a), input("b", b), number("steps", steps)},
            {plain("c++", on_copies(plain_steps), x, y), plain("c++ tiled", on_copies(tiled_steps), x, y),
             form("slices", in_loop(by_slices)), form("stencil", in_loop(by_stencil)), form("index", in_loop(by_index)),
             form("slices, calls", by_calls(by_slices, a, b)), form("stencil, calls", by_calls(by_stencil, a, b))}};
}

}  // namespace bench::npb
