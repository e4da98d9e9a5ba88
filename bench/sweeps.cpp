// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sweeps along an axis, beside C++ on as many threads: many tridiagonal systems, in rows and in columns, and prices of
// options by a scheme that sweeps along both axes of a grid for every strike. Medians of interleaved calls; results are
// compared.
//
//   sinter_sweeps [rounds]
//
// With SINTER_THREADS=1 OMP_NUM_THREADS=1: what a thread does.
#include "measure.hpp"
#include "programs/local_volatility.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

extern "C" __attribute__((simd("notinbranch"))) float expf(float) noexcept;  // libmvec has it

namespace {

using namespace sinter;
using bench::Contender;
using Numbers = std::vector<float>;

std::size_t product(long a, long b) { return static_cast<std::size_t>(a * b); }

/// Systems a[i] x[i - 1] + b[i] x[i] + c[i] x[i + 1] = y[i]: element i of system s is at s * system + i * next.
struct Systems {
    long count, length, system, next;
    Numbers a, b, c, y;
};

Systems random_systems(long count, long length, bool in_rows) {
    Systems s{count, length, in_rows ? length : 1, in_rows ? 1 : count, {}, {}, {}, {}};
    unsigned state = 1;
    const auto number = [&] { return static_cast<float>((state = state * 1664525U + 1013904223U) >> 8) * 0x1p-24f; };
    for (Numbers* n : {&s.a, &s.b, &s.c, &s.y}) {
        n->resize(product(count, length));
        for (float& x : *n) x = number() + (n == &s.b ? 3.f : 0.f);
    }
    return s;
}

/// One system after another.
void solve_each(const Systems& s, float* x) {
#pragma omp parallel for
    for (long k = 0; k < s.count; ++k) {
        const float *a = s.a.data() + k * s.system, *b = s.b.data() + k * s.system, *c = s.c.data() + k * s.system,
                    *y = s.y.data() + k * s.system;
        float pivots[512], rests[512], pivot = 1, rest = 0, high = 0;
        for (long i = 0, o = 0; i < s.length; ++i, o += s.next) {
            const float w = (i > 0 ? a[o] : 0.f) / pivot;
            pivots[i] = pivot = b[o] - w * high;
            rests[i] = rest = y[o] - w * rest;
            high = c[o];
        }
        float last = 0;
        for (long i = s.length - 1, o = i * s.next; i >= 0; --i, o -= s.next) {
            last = (rests[i] - (i < s.length - 1 ? c[o] : 0.f) * last) / pivots[i];
            x[k * s.system + o] = last;
        }
    }
}

/// Sixteen systems side by side: each a lane of a vector, gathered where the systems are rows.
void solve_blocks(const Systems& s, float* x) {
    constexpr long w = 16;
#pragma omp parallel for
    for (long k = 0; k < s.count; k += w) {
        const long base = k * s.system;
        const float *a = s.a.data() + base, *b = s.b.data() + base, *c = s.c.data() + base, *y = s.y.data() + base;
        float pivots[512][w], rests[512][w], pivot[w], rest[w] = {}, high[w] = {}, last[w] = {};
        std::fill_n(pivot, w, 1.f);
        for (long i = 0, o = 0; i < s.length; ++i, o += s.next)
#pragma omp simd
            for (long l = 0; l < w; ++l) {
                const long at = o + l * s.system;
                const float f = (i > 0 ? a[at] : 0.f) / pivot[l];
                pivots[i][l] = pivot[l] = b[at] - f * high[l];
                rests[i][l] = rest[l] = y[at] - f * rest[l];
                high[l] = c[at];
            }
        for (long i = s.length - 1, o = i * s.next; i >= 0; --i, o -= s.next)
#pragma omp simd
            for (long l = 0; l < w; ++l) {
                const long at = o + l * s.system;
                last[l] = (rests[i][l] - (i < s.length - 1 ? c[at] : 0.f) * last[l]) / pivots[i][l];
                x[base + at] = last[l];
            }
    }
}

using Field = Delayed<float, 2>;

/// The same systems by recurrences along an axis.
template <int Along>
Field by_recurrences(Field a, Field b, Field c, Field y) {
    const auto first = [](Field f) {
        using Index = Exp<std::int64_t>;
        return map_indexed([](Index i, Index k, Exp<float> x) { return select((Along == 0 ? i : k) == 0, 0.f, x); }, f);
    };
    return programs::solve_tridiagonals<float>(first(a), b, c, y, Along);
}

/// By a loop for each system, which replaces elements one after another.
Delayed<float> one_system(Delayed<float> a, Delayed<float> b, Delayed<float> c, Delayed<float> y) {
    using Index = Exp<std::int64_t>;
    using Number = Exp<float>;
    const auto n = size(y);
    const auto zeros = fill(shape(n), 0.f);
    auto down = [=](Index i, Delayed<float> pivots, Delayed<float> rests, Number pivot, Number rest) {
        auto w = select(i > 0, a(i), 0.f) / pivot;
        auto p = b(i) - w * c(max(i - 1, 0)), r = y(i) - w * rest;
        return std::tuple(update(pivots, index(i), p), update(rests, index(i), r), p, r);
    };
    auto [pivots, rests, p, r] = for_loop(n, down, zeros, zeros, 1.f, 0.f);
    auto up = [=, pivots = pivots, rests = rests](Index q, Delayed<float> x, Number last) {
        auto i = n - 1 - q;
        auto here = (rests(i) - c(i) * last) / pivots(i);
        return std::tuple(update(x, index(i), here), here);
    };
    return std::get<0>(for_loop(n, up, zeros, 0.f));
}
Field by_loops_of_rows(Field a, Field b, Field c, Field y) { return vmap(one_system, a, b, c, y); }
Field by_loops_of_columns(Field a, Field b, Field c, Field y) {
    return transpose(vmap(one_system, transpose(a), transpose(b), transpose(c), transpose(y)));
}

using Model = programs::Model<float>;

/// The grid of a model, with the weights of second differences halved.
struct HandGrid {
    explicit HandGrid(const Model& m) {
        const auto g = programs::grid_of(m);
        x.assign(g.x.data(), g.x.data() + m.nx), y.assign(g.y.data(), g.y.data() + m.ny);
        for (std::size_t k = 0; k < 3; ++k) {
            for (long i = 0; i < m.nx; ++i) dxx[k].push_back(0.5f * g.dxx(i)[k]);
            for (long j = 0; j < m.ny; ++j) dyy[k].push_back(0.5f * m.nu * m.nu * g.dyy(j)[k]);
        }
        ix = g.ix, iy = g.iy;
    }
    Numbers x, y;
    std::array<Numbers, 3> dxx, dyy;
    long ix = 0, iy = 0;
};

/// Arrays of one strike, which stay in a cache.
struct Strike {
    Strike(const Model& m) : f(product(m.nx, m.ny)), u(f), v(f), variance(f), pivots(f) {}
    Numbers f, u, v, variance, pivots;
};

/// Systems along x, each row after another.
void sweep_x(const Model& m, const HandGrid& g, Strike& s, float q) {
    for (long j = 0; j < m.ny; ++j) {
        const float* var = s.variance.data() + j * m.nx;
        float *u = s.u.data() + j * m.nx, *pivots = s.pivots.data();
        pivots[0] = q - 0.5f * var[0] * g.dxx[1][0];
        for (long i = 1; i < m.nx; ++i) {
            const float w = -0.5f * var[i] * g.dxx[0][i] / pivots[i - 1];
            pivots[i] = q - 0.5f * var[i] * g.dxx[1][i] + w * 0.5f * var[i - 1] * g.dxx[2][i - 1];
            u[i] -= w * u[i - 1];
        }
        u[m.nx - 1] /= pivots[m.nx - 1];
        for (long i = m.nx - 2; i >= 0; --i) u[i] = (u[i] + 0.5f * var[i] * g.dxx[2][i] * u[i + 1]) / pivots[i];
    }
}

/// Systems along x, sixteen rows side by side.
void sweep_x_blocks(const Model& m, const HandGrid& g, Strike& s, float q) {
    constexpr long w = 16;
    for (long j = 0; j < m.ny; j += w) {
        const float* var = s.variance.data() + j * m.nx;
        float *u = s.u.data() + j * m.nx, *pivots = s.pivots.data();
        for (long i = 0; i < m.nx; ++i)
#pragma omp simd
            for (long l = 0; l < w; ++l) {
                const long at = l * m.nx + i;
                const float pivot = q - 0.5f * var[at] * g.dxx[1][i];
                if (i == 0) {
                    pivots[l] = pivot;
                } else {
                    const float f = -0.5f * var[at] * g.dxx[0][i] / pivots[(i - 1) * w + l];
                    pivots[i * w + l] = pivot + f * 0.5f * var[at - 1] * g.dxx[2][i - 1];
                    u[at] -= f * u[at - 1];
                }
            }
        for (long i = m.nx - 1; i >= 0; --i)
#pragma omp simd
            for (long l = 0; l < w; ++l) {
                const long at = l * m.nx + i;
                const float next = i < m.nx - 1 ? 0.5f * var[at] * g.dxx[2][i] * u[at + 1] : 0.f;
                u[at] = (u[at] + next) / pivots[i * w + l];
            }
    }
}

/// Systems along y, all columns at once; their weights are the same for all. Leaves its result in f.
void sweep_y(const Model& m, const HandGrid& g, Strike& s, float q) {
    float pivot = 0;
    Numbers& pivots = s.pivots;
    for (long j = 0; j < m.ny; ++j) {
        const float w = j > 0 ? -0.5f * g.dyy[0][j] / pivot : 0.f;
        pivot = q - 0.5f * g.dyy[1][j] + (j > 0 ? w * 0.5f * g.dyy[2][j - 1] : 0.f);
        pivots[j] = pivot;
        float* f = s.f.data() + j * m.nx;
        const float *u = s.u.data() + j * m.nx, *v = s.v.data() + j * m.nx, *before = j > 0 ? f - m.nx : f;
#pragma omp simd
        for (long i = 0; i < m.nx; ++i) f[i] = q * u[i] - 0.5f * v[i] - (j > 0 ? w * before[i] : 0.f);
    }
    for (long j = m.ny - 1; j >= 0; --j) {
        float *f = s.f.data() + j * m.nx, *after = j < m.ny - 1 ? f + m.nx : f;
        const float c = j < m.ny - 1 ? 0.5f * g.dyy[2][j] : 0.f;
#pragma omp simd
        for (long i = 0; i < m.nx; ++i) f[i] = (f[i] + c * after[i]) / pivots[j];
    }
}

/// Both explicit steps, into u and v.
void explicit_steps(const Model& m, const HandGrid& g, Strike& s, float q, float now) {
    const float half_nu = 0.5f * m.nu * m.nu * now;
    for (long j = 0; j < m.ny; ++j) {
        const long o = j * m.nx;
        const float *f = s.f.data() + o, *below = j > 0 ? f - m.nx : f, *above = j < m.ny - 1 ? f + m.nx : f;
        float *u = s.u.data() + o, *v = s.v.data() + o, *variance = s.variance.data() + o;
        const float low = g.dyy[0][j], middle = g.dyy[1][j], high = g.dyy[2][j], level = g.y[j] - half_nu;
        const float *before = g.dxx[0].data(), *here = g.dxx[1].data(), *after = g.dxx[2].data(), *x = g.x.data();
#pragma omp simd
        for (long i = 0; i < m.nx; ++i) variance[i] = expf(2 * (x[i] + level));
#pragma omp simd
        for (long i = 0; i < m.nx; ++i) {
            const long l = i > 0 ? i - 1 : i, r = i < m.nx - 1 ? i + 1 : i;
            v[i] = low * below[i] + middle * f[i] + high * above[i];
            u[i] = q * f[i] + 0.5f * variance[i] * (before[i] * f[l] + here[i] * f[i] + after[i] * f[r]) + v[i];
        }
    }
}

template <class SweepX>
void hand_prices(const Model& m, const HandGrid& grid, float* out, SweepX sweep) {
    HandGrid g = grid;  // x becomes beta log x
    for (float& x : g.x) x = m.beta * std::log(x);
#pragma omp parallel
    {
        Strike s(m);
#pragma omp for
        for (long k = 0; k < m.strikes; ++k) {
            for (long j = 0; j < m.ny; ++j)
                for (long i = 0; i < m.nx; ++i)
                    s.f[j * m.nx + i] = std::max(grid.x[i] - 0.001f * static_cast<float>(k), 0.f);
            const auto time = [&](long t) { return m.t * static_cast<float>(t) / static_cast<float>(m.nt - 1); };
            for (long t = m.nt - 2; t >= 0; --t) {
                const float q = 1 / (time(t + 1) - time(t));
                explicit_steps(m, g, s, q, time(t));
                sweep(m, g, s, q);
                sweep_y(m, g, s, q);
            }
            out[k] = s.f[g.iy * m.nx + g.ix];
        }
    }
}

/// Something to time, and where its result is afterwards.
struct Case {
    std::string name;
    std::function<void()> call;
    std::function<const float*()> result;
};

Case in_cpp(std::string name, const std::shared_ptr<Numbers>& out, std::function<void(float*)> call) {
    return {std::move(name), [=] { call(out->data()); }, [=] { return out->data(); }};
}
template <class Call>
Case in_sinter(std::string name, Call call) {
    const auto last = std::make_shared<decltype(call())>();
    return {std::move(name), [=] { *last = {}, *last = call(); }, [=] { return last->data(); }};
}

/// The first case is what others are compared with.
void compare(const std::string& title, const std::vector<Case>& cases, std::size_t size, float tolerance, int rounds) {
    std::printf("%s\n", title.c_str());
    std::vector<Contender> contenders;
    std::vector<float> wrong;
    cases[0].call();
    const Numbers expected(cases[0].result(), cases[0].result() + size);
    float scale = 0;
    for (float x : expected) scale = std::max(scale, std::abs(x));
    for (const Case& c : cases) {
        c.call();
        float most = 0;
        for (std::size_t k = 0; k < size; ++k) most = std::max(most, std::abs(c.result()[k] - expected[k]));
        wrong.push_back(most / scale);
        contenders.push_back({c.name, c.call, {}});
    }
    const auto times = bench::measure(contenders, rounds);
    for (std::size_t k = 0; k < cases.size(); ++k)
        std::printf("  %-26s%10.2f ms%8.2f%s\n", cases[k].name.c_str(), times[k].median * 1e3,
                    times[k].median / times[0].median, wrong[k] <= tolerance ? "" : "  RESULTS DIFFER");
    std::fflush(stdout);
}

template <class Recurrences, class Loops>
void compare_systems(const std::string& title, bool in_rows, Recurrences recurrences, Loops loops, int rounds) {
    const auto s = std::make_shared<Systems>(random_systems(57600, 115, in_rows));
    const auto extents = in_rows ? shape(s->count, s->length) : shape(s->length, s->count);
    const auto array = [&](const Numbers& n) { return Array<float, 2>(from(n, extents)); };
    const Array<float, 2> a = array(s->a), b = array(s->b), c = array(s->c), y = array(s->y);
    const auto out = std::make_shared<Numbers>(s->y.size());
    const auto of = [&](auto f) { return [=, f = compile(f)] { return f(a, b, c, y); }; };
    compare(title,
            {in_cpp("c++, each", out, [=](float* x) { solve_each(*s, x); }),
             in_cpp("c++, 16 side by side", out, [=](float* x) { solve_blocks(*s, x); }),
             in_sinter("recurrences", of(recurrences)), in_sinter("loops under vmap", of(loops))},
            s->y.size(), 1e-4f, rounds);
}

void compare_prices(const std::string& title, const Model& m, int rounds) {
    const auto out = std::make_shared<Numbers>(static_cast<std::size_t>(m.strikes));
    const HandGrid grid(m);
    const auto values = compile(
        [=, g = programs::grid_of(m)] { return programs::option_values(m, g, programs::Moves<float>{0, m.nu, m.beta}); });
    compare(title,
            {in_cpp("c++, rows in turn", out, [=](float* x) { hand_prices(m, grid, x, sweep_x); }),
             in_cpp("c++, 16 rows side by side", out, [=](float* x) { hand_prices(m, grid, x, sweep_x_blocks); }),
             in_sinter("recurrences", [=] { return values(); })},
            out->size(), 1e-3f, rounds);
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 9;
    compare_systems("57,600 tridiagonal systems of 115, in rows", true, by_recurrences<1>, by_loops_of_rows, rounds);
    compare_systems("57,600 tridiagonal systems of 115, in columns", false, by_recurrences<0>, by_loops_of_columns, rounds);
    compare_prices("local volatility, 16 strikes, 32 x 256, 256 times", {16, 32, 256, 256, 0.03f, 5, 0.2f, 0.6f, 0.5f},
                   rounds);
    compare_prices("local volatility, 128 strikes, 256 x 32, 64 times", {128, 256, 32, 64, 0.03f, 5, 0.2f, 0.6f, 0.5f},
                   rounds);
}
