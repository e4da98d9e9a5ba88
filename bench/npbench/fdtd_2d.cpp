// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finite differences in the time domain: two components of the electric field and the magnetic one, updated in turn.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index nx = 600, ny = 700, steps = 30;

void plain_steps(double* ex, double* ey, double* hz, const double* fict) {
#pragma omp parallel
    for (index t = 0; t < steps; ++t) {
#pragma omp for nowait
        for (index i = 0; i < nx; ++i)
            for (index j = 0; j < ny; ++j)
                ey[i * ny + j] = i == 0 ? fict[t] : ey[i * ny + j] - 0.5 * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
#pragma omp for
        for (index i = 0; i < nx; ++i)
            for (index j = 1; j < ny; ++j) ex[i * ny + j] -= 0.5 * (hz[i * ny + j] - hz[i * ny + j - 1]);
#pragma omp for
        for (index i = 0; i < nx - 1; ++i)
            for (index j = 0; j < ny - 1; ++j)
                hz[i * ny + j] -= 0.7 * (ex[i * ny + j + 1] - ex[i * ny + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]);
    }
}

/// Rows of a thread's part: both electric components of a row, then the magnetic field of the row above, in one pass.
void fused_steps(double* ex, double* ey, double* hz, const double* fict) {
    constexpr index parts = 2, part = nx / parts;
#pragma omp parallel
    for (index t = 0; t < steps; ++t) {
#pragma omp for
        for (index p = 0; p < parts; ++p)
            for (index i = p * part; i < (p + 1) * part; ++i) {
                double *x = ex + i * ny, *y = ey + i * ny, *z = hz + i * ny;
                const double* above = z - ny;
                if (i == 0)
                    std::fill_n(y, ny, fict[t]);
                else
                    for (index j = 0; j < ny; ++j) y[j] -= 0.5 * (z[j] - above[j]);
                for (index j = 1; j < ny; ++j) x[j] -= 0.5 * (z[j] - z[j - 1]);
                if (i == p * part) continue;
                for (index j = 0; j < ny - 1; ++j) z[j - ny] -= 0.7 * (x[j + 1 - ny] - x[j - ny] + y[j] - y[j - ny]);
            }
        // The last row of a part, for which the next part had to be done.
#pragma omp for
        for (index p = 0; p < parts; ++p) {
            const index i = (p + 1) * part - 1;
            if (i >= nx - 1) continue;
            const double *x = ex + i * ny, *y = ey + i * ny;
            double* z = hz + i * ny;
            for (index j = 0; j < ny - 1; ++j) z[j] -= 0.7 * (x[j + 1] - x[j] + y[j + ny] - y[j]);
        }
    }
}

using State = std::tuple<D2, D2, D2>;

State by_slices(D2 ex, D2 ey, D2 hz, R source) {
    auto n = extent(hz, 0), m = extent(hz, 1);
    auto row = [=](D2 a, auto r) { return slice(a, r, all); };
    D2 y = update(ey, 0, all, fill(shape(m), source));
    y = update(y, range(1, n), all, row(y, range(1, n)) - 0.5 * (row(hz, range(1, n)) - row(hz, range(0, n - 1))));
    D2 x = update(ex, all, range(1, m), drop(ex, 1, axis(1)) - 0.5 * (drop(hz, 1, axis(1)) - take(hz, m - 1, axis(1))));
    auto low = range(0, n - 1), left = range(0, m - 1), high = range(1, n), right = range(1, m);
    D2 z = update(hz, low, left,
                  slice(hz, low, left) -
                      0.7 * (slice(x, low, right) - slice(x, low, left) + slice(y, high, left) - slice(y, low, left)));
    return {x, y, z};
}

State by_stencils(D2 ex, D2 ey, D2 hz, R source) {
    auto n = extent(hz, 0), m = extent(hz, 1);
    auto above = stencil([](auto s) { return s(0, 0) - s(-1, 0); }, boundary::clamp, hz);
    D2 y = map_indexed([=](I i, I, R old, R d) { return select(i == 0, source, old - 0.5 * d); }, ey, above);
    D2 x = ex - 0.5 * stencil([](auto s) { return s(0, 0) - s(0, -1); }, boundary::clamp, hz);
    auto across = stencil([](auto s) { return s(0, 1) - s(0, 0); }, boundary::clamp, x);
    auto down = stencil([](auto s) { return s(1, 0) - s(0, 0); }, boundary::clamp, y);
    D2 z = map_indexed([=](I i, I j, R old, R a, R b) { return select(i < n - 1 && j < m - 1, old - 0.7 * (a + b), old); },
                       hz, across, down);
    return {x, y, z};
}

State by_index(D2 ex, D2 ey, D2 hz, R source) {
    auto n = extent(hz, 0), m = extent(hz, 1);
    D2 y = generate(shape(n, m), [=](I i, I j) {
        return cond(i == 0, [&] { return source; }, [&] { return ey(i, j) - 0.5 * (hz(i, j) - hz(i - 1, j)); });
    });
    D2 x = generate(shape(n, m), [=](I i, I j) {
        return cond(j == 0, [&] { return ex(i, j); }, [&] { return ex(i, j) - 0.5 * (hz(i, j) - hz(i, j - 1)); });
    });
    D2 z = generate(shape(n, m), [=](I i, I j) {
        return cond(
            i == n - 1 || j == m - 1, [&] { return hz(i, j); },
            [&] { return hz(i, j) - 0.7 * (x(i, j + 1) - x(i, j) + y(i + 1, j) - y(i, j)); });
    });
    return {x, y, z};
}

template <class Step>
auto looped(Step step) {
    return compile([=](D2 ex, D2 ey, D2 hz, D1 fict) {
        return for_loop(size(fict), [=](I t, D2 x, D2 y, D2 z) { return step(x, y, z, fict(t)); }, ex, ey, hz);
    });
}

}  // namespace

Kernel fdtd_2d() {
    A2 ex = random_array(0., 1., nx, ny), ey = random_array(0., 1., nx, ny), hz = random_array(0., 1., nx, ny);
    A1 fict = random_array(0., 1., steps);
    auto x = buffer(nx * ny), y = buffer(nx * ny), z = buffer(nx * ny);
    auto on_copies = [=](auto f) {
        return [=] {
            std::copy_n(ex.data(), nx * ny, x->data());
            std::copy_n(ey.data(), nx * ny, y->data());
            std::copy_n(hz.data(), nx * ny, z->data());
            f(x->data(), y->data(), z->data(), fict.data());
        };
    };
    auto in_loop = [=](auto step) { return [=, f = looped(step)] { return f(ex, ey, hz, fict); }; };
    auto by_calls = [=](auto step) {
        return [=, f = compile([=](D2 x, D2 y, D2 z, R s) { return step(x, y, z, s); })] {
            A2 x = ex, y = ey, z = hz;
            for (index t = 0; t < steps; ++t) std::tie(x, y, z) = f(std::move(x), std::move(y), std::move(z), fict(t));
            return std::tuple(x, y, z);
        };
    };
    return {"fdtd_2d",
            "600x700, 30 steps",
            1e-12,
            {input("ex", ex), input("ey", ey), input("hz", hz), input("fict", fict)},
            {plain("c++", on_copies(plain_steps), x, y, z), plain("c++ fused", on_copies(fused_steps), x, y, z),
             form("slices", in_loop(by_slices)), form("stencils", in_loop(by_stencils)), form("index", in_loop(by_index)),
             form("slices, calls", by_calls(by_slices)), form("stencils, calls", by_calls(by_stencils))}};
}

}  // namespace bench::npb
