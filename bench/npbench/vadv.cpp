// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vertical advection of a weather model: a tridiagonal system in each column, by elimination downwards and substitution
// upwards.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index ni = 128, nj = 128, nk = 80;
constexpr double dtr = 0.15, half_up = 0.5, half_down = 0.5;

struct Fields {
    const double *stage, *u, *wcon, *pos, *tens;
};

/// One column after another, its elements next to each other.
void plain_columns(const Fields& f, double* out) {
#pragma omp parallel for
    for (index i = 0; i < ni; ++i)
        for (index j = 0; j < nj; ++j) {
            const index o = (i * nj + j) * nk;
            const double *w0 = f.wcon + o, *w1 = w0 + nj * nk, *u = f.u + o;
            double c[nk], d[nk];
            for (index k = 0; k < nk; ++k) {
                const double gav = k > 0 ? -0.25 * (w1[k] + w0[k]) : 0,
                             gcv = k < nk - 1 ? 0.25 * (w1[k + 1] + w0[k + 1]) : 0;
                const double as = gav * half_up, cs = gcv * half_down, b = dtr - as - cs;
                double correction = 0;
                if (k > 0) correction -= as * (u[k - 1] - u[k]);
                if (k < nk - 1) correction -= cs * (u[k + 1] - u[k]);
                const double rest = dtr * f.pos[o + k] + f.tens[o + k] + f.stage[o + k] + correction;
                const double divided = 1 / (b - (k > 0 ? c[k - 1] * as : 0));
                c[k] = cs * divided;
                d[k] = (rest - (k > 0 ? d[k - 1] * as : 0)) * divided;
            }
            double x = 0;
            for (index k = nk - 1; k >= 0; --k) {
                x = d[k] - c[k] * x;
                out[o + k] = dtr * (x - f.pos[o + k]);
            }
        }
}

/// Eight columns side by side, so that their elements are one vector; gathered and scattered with the stride of a column.
void column_blocks(const Fields& f, double* out) {
    constexpr index w = 8;
#pragma omp parallel for
    for (index i = 0; i < ni; ++i)
        for (index j = 0; j < nj; j += w) {
            const index o = (i * nj + j) * nk;
            const double *w0 = f.wcon + o, *w1 = w0 + nj * nk, *u = f.u + o;
            double c[nk][w], d[nk][w], x[w] = {};
            for (index k = 0; k < nk; ++k)
#pragma omp simd
                for (index l = 0; l < w; ++l) {
                    const index at = l * nk + k, up = k < nk - 1 ? at + 1 : at, down = k > 0 ? at - 1 : at;
                    const double gav = k > 0 ? -0.25 * (w1[at] + w0[at]) : 0,
                                 gcv = k < nk - 1 ? 0.25 * (w1[up] + w0[up]) : 0;
                    const double as = gav * half_up, cs = gcv * half_down, b = dtr - as - cs;
                    const double correction = -as * (u[down] - u[at]) - cs * (u[up] - u[at]);
                    const double rest = dtr * f.pos[o + at] + f.tens[o + at] + f.stage[o + at] + correction;
                    const double divided = 1 / (b - (k > 0 ? c[k - 1][l] * as : 0));
                    c[k][l] = cs * divided;
                    d[k][l] = (rest - (k > 0 ? d[k - 1][l] * as : 0)) * divided;
                }
            for (index k = nk - 1; k >= 0; --k)
#pragma omp simd
                for (index l = 0; l < w; ++l) {
                    x[l] = d[k][l] - c[k][l] * x[l];
                    out[o + l * nk + k] = dtr * (x[l] - f.pos[o + l * nk + k]);
                }
        }
}

/// c and d of level k, from those of the level above it; numbers, or planes of them.
template <class T, class W, class U>
std::pair<T, T> eliminate(I k, I levels, T c, T d, W w, U u, T pos, T tens, T stage) {
    auto gav = select(k > 0, -0.25, 0.) * w(k), gcv = select(k < levels - 1, 0.25, 0.) * w(min(k + 1, levels - 1));
    auto as = gav * half_up, cs = gcv * half_down;
    auto correction = -as * (u(max(k - 1, 0)) - u(k)) - cs * (u(min(k + 1, levels - 1)) - u(k));
    auto rest = dtr * pos + tens + stage + correction;
    auto divided = 1. / (dtr - as - cs - c * as);
    return {cs * divided, (rest - d * as) * divided};
}

D1 column(D1 stage, D1 u, D1 w0, D1 w1, D1 pos, D1 tens) {
    auto levels = size(stage);
    auto down = [=](I k, D1 cs, D1 ds, R c, R d) {
        auto w = [=](I k) { return w1(k) + w0(k); };
        auto [c2, d2] = eliminate<R>(k, levels, c, d, w, u, pos(k), tens(k), stage(k));
        return std::tuple(update(cs, sinter::index(k), c2), update(ds, sinter::index(k), d2), c2, d2);
    };
    auto zeros = fill(shape(levels), 0.);
    auto [cs, ds, c, d] = for_loop(levels, down, zeros, zeros, 0., 0.);
    auto up = [=, cs = cs, ds = ds](I q, D1 out, R x) {
        auto k = levels - 1 - q;
        auto here = ds(k) - cs(k) * x;
        return std::tuple(update(out, sinter::index(k), dtr * (here - pos(k))), here);
    };
    return std::get<0>(for_loop(levels, up, zeros, 0.));
}

D3 by_columns(D3 stage, D3 u, D3 wcon, D3 pos, D3 tens) {
    auto n = extent(stage, 0);
    return vmap([](D2 stage, D2 u, D2 w0, D2 w1, D2 pos, D2 tens) { return vmap(column, stage, u, w0, w1, pos, tens); },
                stage, u, take(wcon, n), drop(wcon, 1), pos, tens);
}

/// A plane at a time, as NumPy's users do; level(a, k) is a plane of a, replaced(a, k, p) has it replaced.
template <class Level, class Replaced>
D3 by_planes(D3 stage, D3 u, D3 w0, D3 w1, D3 pos, D3 tens, I levels, D3 zeros, D2 zero, Level level, Replaced replaced) {
    auto down = [=](I k, D3 cs, D3 ds, D2 c, D2 d) {
        auto w = [=](I k) { return level(w1, k) + level(w0, k); };
        auto of_u = [=](I k) { return level(u, k); };
        auto [c2, d2] = eliminate<D2>(k, levels, c, d, w, of_u, level(pos, k), level(tens, k), level(stage, k));
        return std::tuple(replaced(cs, k, c2), replaced(ds, k, d2), c2, d2);
    };
    auto [cs, ds, c, d] = for_loop(levels, down, zeros, zeros, zero, zero);
    auto up = [=, cs = cs, ds = ds](I q, D3 out, D2 x) {
        auto k = levels - 1 - q;
        D2 here = level(ds, k) - level(cs, k) * x;
        return std::tuple(replaced(out, k, dtr * (here - level(pos, k))), here);
    };
    return std::get<0>(for_loop(levels, up, zeros, zero));
}

D3 by_last_planes(D3 stage, D3 u, D3 wcon, D3 pos, D3 tens) {
    auto n = extent(stage, 0), m = extent(stage, 1), levels = extent(stage, 2);
    auto level = [=](D3 a, I k) -> D2 { return reshape(slice(a, all, all, range(k, k + 1)), shape(n, m)); };
    auto replaced = [](D3 a, I k, D2 p) -> D3 { return update(a, all, all, k, p); };
    return by_planes(stage, u, take(wcon, n), drop(wcon, 1), pos, tens, levels, fill(shape(n, m, levels), 0.),
                     fill(shape(n, m), 0.), level, replaced);
}

/// The same after a transposition that has the planes together.
D3 by_first_planes(D3 stage, D3 u, D3 wcon, D3 pos, D3 tens) {
    auto n = extent(stage, 0), m = extent(stage, 1), levels = extent(stage, 2);
    auto turned = [](D3 a) -> D3 { return transpose(a, {2, 0, 1}); };
    auto level = [=](D3 a, I k) -> D2 { return reshape(slice(a, range(k, k + 1), all, all), shape(n, m)); };
    auto replaced = [](D3 a, I k, D2 p) -> D3 { return update(a, k, all, all, p); };
    auto out = by_planes(turned(stage), turned(u), turned(take(wcon, n)), turned(drop(wcon, 1)), turned(pos), turned(tens),
                         levels, fill(shape(levels, n, m), 0.), fill(shape(n, m), 0.), level, replaced);
    return transpose(out, {1, 2, 0});
}

}  // namespace

Kernel vadv() {
    A3 stage = random_array(0., 1., ni, nj, nk), u = random_array(0., 1., ni, nj, nk);
    A3 wcon = random_array(0., 1., ni + 1, nj, nk), pos = random_array(0., 1., ni, nj, nk);
    A3 tens = random_array(0., 1., ni, nj, nk);
    const Fields fields{stage.data(), u.data(), wcon.data(), pos.data(), tens.data()};
    auto out = buffer(ni * nj * nk);
    auto of = [=](D3 (*f)(D3, D3, D3, D3, D3)) { return [=, f = compile(f)] { return f(stage, u, wcon, pos, tens); }; };
    return {
        "vadv",
        "128x128x80",
        1e-10,
        {input("utens_stage", stage), input("u_stage", u), input("wcon", wcon), input("u_pos", pos), input("utens", tens)},
        {plain(
             "c++", [=, keep = stage] { plain_columns(fields, out->data()); }, out),
         plain(
             "c++ column blocks", [=] { column_blocks(fields, out->data()); }, out),
         form("columns, vmap", of(by_columns)), form("last planes", of(by_last_planes)),
         form("first planes", of(by_first_planes))}};
}

}  // namespace bench::npb
