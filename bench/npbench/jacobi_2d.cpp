// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Means of five neighbours, from one matrix to the other and back; the border stays.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index n = 800, steps = 30;

void smooth_row(const double* from, double* to, index i) {
    for (index j = 1; j < n - 1; ++j) {
        const index at = i * n + j;
        to[at] = 0.2 * (from[at] + from[at - 1] + from[at + 1] + from[at + n] + from[at - n]);
    }
}

void plain_steps(double* a, double* b) {
#pragma omp parallel
    for (index t = 0; t < steps; ++t) {
#pragma omp for
        for (index i = 1; i < n - 1; ++i) smooth_row(a, b, i);
#pragma omp for
        for (index i = 1; i < n - 1; ++i) smooth_row(b, a, i);
    }
}

/// Sweeps follow each other down the matrix, a row apart, so that the later ones read from a cache: a wavefront of `deep`
/// double steps over blocks of rows that overlap by what they spoil.
void tiled_steps(const double* a0, const double* b0, double* a, double* b) {
    constexpr index block = 100, deep = 3;
    std::vector<double> from(a0, a0 + n * n), to(a0, a0 + n * n);
#pragma omp parallel
    {
        std::vector<double> x(static_cast<std::size_t>((block + 4 * deep) * n)), y(x.size());
        for (index done = 0; done < steps; done += deep) {
#pragma omp for schedule(static)
            for (index start = 0; start < n; start += block) {
                const index low = std::max<index>(start - 2 * deep, 0), high = std::min(start + block + 2 * deep, n);
                std::copy(from.data() + low * n, from.data() + high * n, x.data());
                std::copy(b0 + low * n, b0 + high * n, y.data());
                const index rows = high - low;
                for (index front = 1; front < rows - 1 + 2 * deep; ++front)
                    for (index sweep = 0; sweep < 2 * deep; ++sweep) {
                        const index i = front - sweep;
                        if (i < 1 || i >= rows - 1) continue;
                        if (sweep % 2 == 0)
                            smooth_row(x.data(), y.data(), i);
                        else
                            smooth_row(y.data(), x.data(), i);
                    }
                const index end = std::min(start + block, n);
                std::copy(x.data() + (start - low) * n, x.data() + (end - low) * n, to.data() + start * n);
                if (done + deep >= steps) std::copy(y.data() + (start - low) * n, y.data() + (end - low) * n, b + start * n);
            }
#pragma omp single
            std::swap(from, to);
        }
    }
    std::copy(from.begin(), from.end(), a);
}

template <class Half>
auto both_ways(Half half) {
    return compile([=](D2 a, D2 b) {
        return for_loop(
            steps,
            [=](I, D2 a, D2 b) {
                D2 b2 = half(a, b);
                D2 a2 = half(b2, a);
                return std::tuple(a2, b2);
            },
            a, b);
    });
}

D2 by_slices(D2 a, D2 b) {
    auto n = extent(a, 0);
    auto low = range(0, n - 2), mid = range(1, n - 1), high = range(2, n);
    auto mean =
        0.2 * (slice(a, mid, mid) + slice(a, mid, low) + slice(a, mid, high) + slice(a, high, mid) + slice(a, low, mid));
    return update(b, mid, mid, mean);
}

auto inside(D2 a) {
    auto n = extent(a, 0), m = extent(a, 1);
    return [=](I i, I j) { return i > 0 && i < n - 1 && j > 0 && j < m - 1; };
}

D2 by_stencil(D2 a, D2 b) {
    auto mean =
        stencil([](auto s) { return 0.2 * (s(0, 0) + s(0, -1) + s(0, 1) + s(1, 0) + s(-1, 0)); }, boundary::clamp, a);
    return map_indexed([=, in = inside(a)](I i, I j, R x, R old) { return select(in(i, j), x, old); }, mean, b);
}

D2 by_index(D2 a, D2 b) {
    return generate(shape(extent(a, 0), extent(a, 1)), [=, in = inside(a)](I i, I j) {
        return cond(
            in(i, j), [&] { return 0.2 * (a(i, j) + a(i, j - 1) + a(i, j + 1) + a(i + 1, j) + a(i - 1, j)); },
            [&] { return b(i, j); });
    });
}

/// The middle alone by index, then put into its place.
D2 by_index_inside(D2 a, D2 b) {
    auto n = extent(a, 0);
    auto mean = generate(shape(n - 2, n - 2), [=](I k, I l) {
        auto i = k + 1, j = l + 1;
        return 0.2 * (a(i, j) + a(i, j - 1) + a(i, j + 1) + a(i + 1, j) + a(i - 1, j));
    });
    return update(b, range(1, n - 1), range(1, n - 1), mean);
}

template <class Half>
auto by_calls(Half half, A2 a, A2 b) {
    auto step = compile([=](D2 a, D2 b) {
        D2 b2 = half(a, b);
        return std::tuple(half(b2, a), b2);
    });
    return [=] {
        A2 x = a, y = b;
        for (index t = 0; t < steps; ++t) std::tie(x, y) = step(std::move(x), std::move(y));
        return std::tuple(x, y);
    };
}

}  // namespace

Kernel jacobi_2d() {
    A2 a = random_array(0., 1., n, n), b = random_array(0., 1., n, n);
    auto x = buffer(n * n), y = buffer(n * n);
    auto plain_call = [=] {
        std::copy_n(a.data(), n * n, x->data());
        std::copy_n(b.data(), n * n, y->data());
        plain_steps(x->data(), y->data());
    };
    auto in_loop = [=](auto half) { return [=, f = both_ways(half)] { return f(a, b); }; };
    return {"jacobi_2d",
            "800x800, 30 steps",
            1e-12,
            {input("a", a), input("b", b), number("steps", steps)},
            {plain("c++", plain_call, x, y),
             plain(
                 "c++ tiled", [=] { tiled_steps(a.data(), b.data(), x->data(), y->data()); }, x, y),
             form("slices", in_loop(by_slices)), form("stencil", in_loop(by_stencil)), form("index", in_loop(by_index)),
             form("index, inside", in_loop(by_index_inside)), form("slices, calls", by_calls(by_slices, a, b)),
             form("stencil, calls", by_calls(by_stencil, a, b))}};
}

}  // namespace bench::npb
