// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Horizontal diffusion of a weather model: the Laplacian, limited fluxes of it, their divergence.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index ni = 128, nj = 128, nk = 80;

/// Four passes over whole arrays, as the formulas are.
void plain_passes(const double* in, const double* coeff, double* lap, double* flx, double* fly, double* out) {
    auto at = [=](index i, index j) { return in + (i * (nj + 4) + j) * nk; };
    auto lap_at = [=](index i, index j) { return lap + (i * (nj + 2) + j) * nk; };
#pragma omp parallel
    {
#pragma omp for
        for (index i = 0; i < ni + 2; ++i)
            for (index j = 0; j < nj + 2; ++j) {
                const double *c = at(i + 1, j + 1), *n = at(i, j + 1), *s = at(i + 2, j + 1), *w = at(i + 1, j),
                             *e = at(i + 1, j + 2);
                double* to = lap_at(i, j);
                for (index k = 0; k < nk; ++k) to[k] = 4 * c[k] - (s[k] + n[k] + e[k] + w[k]);
            }
#pragma omp for nowait
        for (index i = 0; i < ni + 1; ++i)
            for (index j = 0; j < nj; ++j) {
                const double *l0 = lap_at(i, j + 1), *l1 = lap_at(i + 1, j + 1), *c0 = at(i + 1, j + 2),
                             *c1 = at(i + 2, j + 2);
                double* to = flx + (i * nj + j) * nk;
                for (index k = 0; k < nk; ++k) {
                    const double d = l1[k] - l0[k];
                    to[k] = d * (c1[k] - c0[k]) > 0 ? 0 : d;
                }
            }
#pragma omp for
        for (index i = 0; i < ni; ++i)
            for (index j = 0; j < nj + 1; ++j) {
                const double *l0 = lap_at(i + 1, j), *l1 = lap_at(i + 1, j + 1), *c0 = at(i + 2, j + 1),
                             *c1 = at(i + 2, j + 2);
                double* to = fly + (i * (nj + 1) + j) * nk;
                for (index k = 0; k < nk; ++k) {
                    const double d = l1[k] - l0[k];
                    to[k] = d * (c1[k] - c0[k]) > 0 ? 0 : d;
                }
            }
#pragma omp for
        for (index i = 0; i < ni; ++i)
            for (index j = 0; j < nj; ++j) {
                const double *c = at(i + 2, j + 2), *f = coeff + (i * nj + j) * nk, *x0 = flx + (i * nj + j) * nk,
                             *x1 = flx + ((i + 1) * nj + j) * nk, *y0 = fly + (i * (nj + 1) + j) * nk, *y1 = y0 + nk;
                double* to = out + (i * nj + j) * nk;
                for (index k = 0; k < nk; ++k) to[k] = c[k] - f[k] * (x1[k] - x0[k] + y1[k] - y0[k]);
            }
    }
}

/// One pass: everything is computed where it is needed, from thirteen neighbours.
void one_pass(const double* in, const double* coeff, double* out) {
    constexpr index row = (nj + 4) * nk;
#pragma omp parallel for
    for (index i = 0; i < ni; ++i)
        for (index j = 0; j < nj; ++j) {
            const double *c = in + (i + 2) * row + (j + 2) * nk, *f = coeff + (i * nj + j) * nk;
            double* to = out + (i * nj + j) * nk;
            auto lap = [](const double* p) { return 4 * p[0] - (p[row] + p[-row] + p[nk] + p[-nk]); };
            auto flux = [](double d, double slope) { return d * slope > 0 ? 0 : d; };
#pragma omp simd
            for (index k = 0; k < nk; ++k) {
                const double* p = c + k;
                const double here = lap(p);
                const double x1 = flux(lap(p + row) - here, p[row] - p[0]), x0 = flux(here - lap(p - row), p[0] - p[-row]);
                const double y1 = flux(lap(p + nk) - here, p[nk] - p[0]), y0 = flux(here - lap(p - nk), p[0] - p[-nk]);
                to[k] = p[0] - f[k] * (x1 - x0 + y1 - y0);
            }
        }
}

auto limited = [](R difference, R slope) { return select(difference * slope > 0., 0., difference); };

D3 by_slices(D3 in, D3 coeff) {
    auto part = [=](index i0, index i1, index j0, index j1) {
        return slice(in, range(i0, extent(in, 0) + i1), range(j0, extent(in, 1) + j1), all);
    };
    D3 lap = 4. * part(1, -1, 1, -1) - (part(2, 0, 1, -1) + part(0, -2, 1, -1) + part(1, -1, 2, 0) + part(1, -1, 0, -2));
    auto I = extent(lap, 0), J = extent(lap, 1);
    auto lap_x = slice(lap, range(1, I), range(1, J - 1), all) - slice(lap, range(0, I - 1), range(1, J - 1), all);
    D3 flx = map(limited, lap_x, part(2, -1, 2, -2) - part(1, -2, 2, -2));
    auto lap_y = slice(lap, range(1, I - 1), range(1, J), all) - slice(lap, range(1, I - 1), range(0, J - 1), all);
    D3 fly = map(limited, lap_y, part(2, -2, 2, -1) - part(2, -2, 1, -2));
    auto across = drop(flx, 1) - take(flx, extent(flx, 0) - 1);
    auto along = drop(fly, 1, axis(1)) - take(fly, extent(fly, 1) - 1, axis(1));
    return part(2, -2, 2, -2) - coeff * (across + along);
}

D3 by_stencils(D3 in, D3 coeff) {
    D3 lap = stencil([](auto s) { return 4. * s(0, 0, 0) - (s(1, 0, 0) + s(-1, 0, 0) + s(0, 1, 0) + s(0, -1, 0)); },
                     boundary::clamp, in);
    auto ahead = [](D3 a, bool x) {
        return x ? stencil([](auto s) { return s(1, 0, 0) - s(0, 0, 0); }, boundary::clamp, a)
                 : stencil([](auto s) { return s(0, 1, 0) - s(0, 0, 0); }, boundary::clamp, a);
    };
    D3 flx = map(limited, ahead(lap, true), ahead(in, true)), fly = map(limited, ahead(lap, false), ahead(in, false));
    auto across = stencil([](auto s) { return s(0, 0, 0) - s(-1, 0, 0); }, boundary::clamp, flx);
    auto along = stencil([](auto s) { return s(0, 0, 0) - s(0, -1, 0); }, boundary::clamp, fly);
    auto inside = [=](D3 a) { return slice(a, range(2, extent(in, 0) - 2), range(2, extent(in, 1) - 2), all); };
    return inside(in) - coeff * inside(across + along);
}

D3 by_index(D3 in, D3 coeff) {
    return generate(shape(extent(coeff, 0), extent(coeff, 1), extent(coeff, 2)), [=](I i0, I j0, I k) {
        auto i = i0 + 2, j = j0 + 2;
        auto lap = [=](I i, I j) {
            return 4. * in(i, j, k) - (in(i + 1, j, k) + in(i - 1, j, k) + in(i, j + 1, k) + in(i, j - 1, k));
        };
        auto flx = [=](I i) { return limited(lap(i + 1, j) - lap(i, j), in(i + 1, j, k) - in(i, j, k)); };
        auto fly = [=](I j) { return limited(lap(i, j + 1) - lap(i, j), in(i, j + 1, k) - in(i, j, k)); };
        return in(i, j, k) - coeff(i0, j0, k) * (flx(i) - flx(i - 1) + fly(j) - fly(j - 1));
    });
}

D2 level(D2 in, D2 coeff) {
    D2 lap = stencil([](auto s) { return 4. * s(0, 0) - (s(1, 0) + s(-1, 0) + s(0, 1) + s(0, -1)); }, boundary::clamp, in);
    D2 flx = map(limited, stencil([](auto s) { return s(1, 0) - s(0, 0); }, boundary::clamp, lap),
                 stencil([](auto s) { return s(1, 0) - s(0, 0); }, boundary::clamp, in));
    D2 fly = map(limited, stencil([](auto s) { return s(0, 1) - s(0, 0); }, boundary::clamp, lap),
                 stencil([](auto s) { return s(0, 1) - s(0, 0); }, boundary::clamp, in));
    auto across = stencil([](auto s) { return s(0, 0) - s(-1, 0); }, boundary::clamp, flx);
    auto along = stencil([](auto s) { return s(0, 0) - s(0, -1); }, boundary::clamp, fly);
    auto inside = [=](D2 a) { return slice(a, range(2, extent(in, 0) - 2), range(2, extent(in, 1) - 2)); };
    return inside(in) - coeff * inside(across + along);
}

/// Level by level: the formulas are about the horizontal plane.
D3 by_levels(D3 in, D3 coeff) {
    return transpose(vmap(level, transpose(in, {2, 0, 1}), transpose(coeff, {2, 0, 1})), {1, 2, 0});
}

}  // namespace

Kernel hdiff() {
    A3 in = random_array(0., 1., ni + 4, nj + 4, nk), coeff = random_array(0., 1., ni, nj, nk);
    auto lap = buffer((ni + 2) * (nj + 2) * nk), flx = buffer((ni + 1) * nj * nk), fly = buffer(ni * (nj + 1) * nk);
    auto out = buffer(ni * nj * nk);
    auto passes = [=] { plain_passes(in.data(), coeff.data(), lap->data(), flx->data(), fly->data(), out->data()); };
    auto of = [=](D3 (*f)(D3, D3)) { return [=, f = compile(f)] { return f(in, coeff); }; };
    return {"hdiff",
            "128x128x80",
            1e-12,
            {input("in_field", in), input("coeff", coeff)},
            {plain("c++", passes, out),
             plain(
                 "c++ one pass", [=] { one_pass(in.data(), coeff.data(), out->data()); }, out),
             form("slices", of(by_slices)), form("stencils", of(by_stencils)), form("index", of(by_index)),
             form("levels, vmap", of(by_levels))}};
}

}  // namespace bench::npb
