// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Means of three neighbours, from one array to the other and back; both ends stay.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index n = 32'000, steps = 500;

void smooth(const double* from, double* to) {
#pragma omp for
    for (index i = 1; i < n - 1; ++i) to[i] = 0.33333 * (from[i - 1] + from[i] + from[i + 1]);
}

void plain_steps(double* a, double* b) {
#pragma omp parallel
    for (index t = 0; t < steps; ++t) {
        smooth(a, b);
        smooth(b, a);
    }
}

/// Blocks of the line that stay in the first cache, some steps at a time: each block is computed with as many points more on
/// both sides as the steps will spoil.
void tiled_steps(const double* a0, const double* b0, double* a, double* b) {
    constexpr index block = 2000, deep = 25, wide = block + 4 * deep;
    std::vector<double> from(a0, a0 + n), to(static_cast<std::size_t>(n));
#pragma omp parallel
    for (index done = 0; done < steps; done += deep) {
#pragma omp for
        for (index start = 0; start < n; start += block) {
            const index low = std::max<index>(start - 2 * deep, 0), high = std::min(start + block + 2 * deep, n);
            double x[wide], y[wide];
            std::copy(from.data() + low, from.data() + high, x);
            const index last = high - low - 1;
            y[0] = low == 0 ? b0[0] : x[0];
            y[last] = high == n ? b0[n - 1] : x[last];
            for (index t = 0; t < deep; ++t) {
                for (index i = 1; i < last; ++i) y[i] = 0.33333 * (x[i - 1] + x[i] + x[i + 1]);
                if (done + t == steps - 1)
                    for (index i = start; i < std::min(start + block, n); ++i) b[i] = y[i - low];
                for (index i = 1; i < last; ++i) x[i] = 0.33333 * (y[i - 1] + y[i] + y[i + 1]);
            }
            for (index i = start; i < std::min(start + block, n); ++i) to[static_cast<std::size_t>(i)] = x[i - low];
        }
#pragma omp single
        std::swap(from, to);
    }
    std::copy(from.begin(), from.end(), a);
}

template <class Half>
auto both_ways(Half half) {
    return compile([=](D1 a, D1 b) {
        return for_loop(
            steps,
            [=](I, D1 a, D1 b) {
                D1 b2 = half(a, b);
                D1 a2 = half(b2, a);
                return std::tuple(a2, b2);
            },
            a, b);
    });
}

D1 middle(D1 a) {
    auto n = size(a);
    return 0.33333 * (slice(a, range(0, n - 2)) + slice(a, range(1, n - 1)) + slice(a, range(2, n)));
}

D1 by_slices(D1 a, D1 b) { return update(b, range(1, size(b) - 1), middle(a)); }

D1 by_concat(D1 a, D1 b) { return concat(concat(take(b, 1), middle(a)), drop(b, size(b) - 1)); }

D1 by_stencil(D1 a, D1 b) {
    auto mean = stencil([](auto s) { return 0.33333 * (s(-1) + s(0) + s(1)); }, boundary::clamp, a);
    auto n = size(a);
    return map_indexed([=](I i, R x, R old) { return select(i > 0 && i < n - 1, x, old); }, mean, b);
}

D1 by_index(D1 a, D1 b) {
    auto n = size(a);
    return generate(shape(n), [=](I i) {
        return cond(i > 0 && i < n - 1, [&] { return 0.33333 * (a(i - 1) + a(i) + a(i + 1)); }, [&] { return b(i); });
    });
}

template <class Half>
auto by_calls(Half half, A1 a, A1 b) {
    auto step = compile([=](D1 a, D1 b) {
        D1 b2 = half(a, b);
        return std::tuple(half(b2, a), b2);
    });
    return [=] {
        A1 x = a, y = b;
        for (index t = 0; t < steps; ++t) std::tie(x, y) = step(std::move(x), std::move(y));
        return std::tuple(x, y);
    };
}

}  // namespace

Kernel jacobi_1d() {
    A1 a = random_array(0., 1., n), b = random_array(0., 1., n);
    auto x = buffer(n), y = buffer(n);
    auto plain_call = [=] {
        std::copy_n(a.data(), n, x->data());
        std::copy_n(b.data(), n, y->data());
        plain_steps(x->data(), y->data());
    };
    auto in_loop = [=](auto half) { return [=, f = both_ways(half)] { return f(a, b); }; };
    return {"jacobi_1d",
            "32000, 500 steps",
            1e-12,
            {input("a", a), input("b", b), number("steps", steps)},
            {plain("c++", plain_call, x, y),
             plain(
                 "c++ tiled", [=] { tiled_steps(a.data(), b.data(), x->data(), y->data()); }, x, y),
             form("slices", in_loop(by_slices)), form("concat", in_loop(by_concat)), form("stencil", in_loop(by_stencil)),
             form("index", in_loop(by_index)), form("slices, calls", by_calls(by_slices, a, b)),
             form("stencil, calls", by_calls(by_stencil, a, b))}};
}

}  // namespace bench::npb
