// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies that attract each other, by leapfrog steps; after each step their kinetic and potential energy.
#include "suite.hpp"

#include <algorithm>

namespace bench::npb {
namespace {

using namespace sinter;

constexpr index n = 600, steps = 10;
constexpr double dt = 0.01, gravity = 1, softening = 0.1;

struct Plain {
    std::vector<double> x[3], v[3], a[3], kinetic, potential;
};

void accelerate(const Plain& b, const double* m, double* const* to) {
    const double *x = b.x[0].data(), *y = b.x[1].data(), *z = b.x[2].data();
#pragma omp parallel for schedule(static)
    for (index i = 0; i < n; ++i) {
        double ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
        for (index j = 0; j < n; ++j) {
            const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            const double square = dx * dx + dy * dy + dz * dz + softening * softening;
            const double s = gravity * m[j] / (square * std::sqrt(square));
            ax += s * dx;
            ay += s * dy;
            az += s * dz;
        }
        to[0][i] = ax, to[1][i] = ay, to[2][i] = az;
    }
}

void measure_energy(Plain& b, const double* m, index t) {
    const double *x = b.x[0].data(), *y = b.x[1].data(), *z = b.x[2].data();
    double kinetic = 0, potential = 0;
    for (index i = 0; i < n; ++i)
        kinetic += 0.5 * m[i] * (b.v[0][i] * b.v[0][i] + b.v[1][i] * b.v[1][i] + b.v[2][i] * b.v[2][i]);
#pragma omp parallel for reduction(+ : potential) schedule(dynamic, 16)
    for (index i = 0; i < n; ++i) {
        double p = 0;
#pragma omp simd reduction(+ : p)
        for (index j = i + 1; j < n; ++j) {
            const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            p += m[j] / std::sqrt(dx * dx + dy * dy + dz * dz);
        }
        potential -= gravity * m[i] * p;
    }
    b.kinetic[t] = kinetic;
    b.potential[t] = potential;
}

void plain_steps(Plain& b, const double* m) {
    double* a[3] = {b.a[0].data(), b.a[1].data(), b.a[2].data()};
    accelerate(b, m, a);
    for (index t = 0; t < steps; ++t) {
        for (int c = 0; c < 3; ++c)
            for (index i = 0; i < n; ++i) b.x[c][i] += (b.v[c][i] += b.a[c][i] * (dt / 2)) * dt;
        accelerate(b, m, a);
        for (int c = 0; c < 3; ++c)
            for (index i = 0; i < n; ++i) b.v[c][i] += b.a[c][i] * (dt / 2);
        measure_energy(b, m, t);
    }
}

using Vector = std::tuple<double, double, double>;
using Vectors = Delayed<Vector>;

auto add(Vectors a, Vectors b, double scale) -> Vectors {
    return map(
        [=](Exp<Vector> a, Exp<Vector> b) {
            auto [ax, ay, az] = a;
            auto [bx, by, bz] = b;
            return std::tuple(ax + scale * bx, ay + scale * by, az + scale * bz);
        },
        a, b);
}

R kinetic_of(Vectors v, D1 m) {
    return sum(map(
        [](Exp<Vector> v, R m) {
            auto [x, y, z] = v;
            return 0.5 * m * (x * x + y * y + z * z);
        },
        v, m))();
}

auto difference(Exp<Vector> here, Exp<Vector> there) {
    auto [x0, y0, z0] = here;
    auto [x1, y1, z1] = there;
    return std::tuple(x1 - x0, y1 - y0, z1 - z0);
}

auto pull(Exp<Vector> here, Exp<Vector> there, R m) {
    auto [x, y, z] = difference(here, there);
    auto square = x * x + y * y + z * z + softening * softening;
    auto s = gravity * m / (square * sqrt(square));
    return std::tuple(s * x, s * y, s * z);
}

R distance(Exp<Vector> here, Exp<Vector> there) {
    auto [x, y, z] = difference(here, there);
    return sqrt(x * x + y * y + z * z);
}

/// For each body a fold over all.
struct Nested {
    Vectors accelerations(Vectors x, D1 m) const {
        auto plus = [](auto a, auto b) {
            auto [ax, ay, az] = a;
            auto [bx, by, bz] = b;
            return std::tuple(ax + bx, ay + by, az + bz);
        };
        return vmap(
            [=](Exp<Vector> here) {
                return fold(plus, Vector{}, map([=](Exp<Vector> there, R m) { return pull(here, there, m); }, x, m));
            },
            x);
    }
    Delayed<double, 0> potential(Vectors x, D1 m) const {
        return sum(vmap(
            [=](Exp<Vector> here, R mass, I i) {
                auto term = [=](I j, Exp<Vector> there, R m) { return select(j > i, mass * m / distance(here, there), 0.); };
                return -gravity * sum(map_indexed(term, x, m));
            },
            x, m, iota(size(m))));
    }
};

/// Matrices of all pairs, as in NumPy: a component at a time.
struct Matrices {
    static D2 differences(D1 x) {
        auto rows = replicate(size(x), x);
        return rows - transpose(rows);
    }
    Vectors accelerations(Vectors p, D1 m) const {
        D2 x = differences(get<0>(p)), y = differences(get<1>(p)), z = differences(get<2>(p));
        D2 square = x * x + y * y + z * z + softening * softening;
        D2 s = 1. / (square * sqrt(square));
        auto along = [=](D2 d) -> D1 { return gravity * sum(d * s * replicate(size(m), m)); };
        return zip(along(x), along(y), along(z));
    }
    Delayed<double, 0> potential(Vectors p, D1 m) const {
        D2 x = differences(get<0>(p)), y = differences(get<1>(p)), z = differences(get<2>(p));
        D2 distance = sqrt(x * x + y * y + z * z), masses = replicate(size(m), m);
        D2 terms = map_indexed([](I i, I j, R m, R r) { return select(j > i, -gravity * m / r, 0.); },
                               masses * transpose(masses), distance);
        return sum(terms, axes(0, 1));
    }
};

/// Loops over the other bodies in a function of one.
struct Loops {
    Vectors accelerations(Vectors x, D1 m) const {
        return map(
            [=](Exp<Vector> here) {
                auto step = [=](I j, R ax, R ay, R az) {
                    auto [px, py, pz] = pull(here, x(j), m(j));
                    return std::tuple(ax + px, ay + py, az + pz);
                };
                return for_loop(size(m), step, 0., 0., 0.);
            },
            x);
    }
    Delayed<double, 0> potential(Vectors x, D1 m) const {
        auto of = [=](I i) {
            auto step = [=](I j, R t) { return t - gravity * m(i) * m(i + 1 + j) / distance(x(i), x(i + 1 + j)); };
            return for_loop(size(m) - 1 - i, step, R(0.));
        };
        return sum(map(of, iota(size(m))));
    }
};

template <class Way>
auto simulation(Way way) {
    return compile([=](Vectors x, Vectors v, D1 m) {
        auto step = [=](I t, Vectors x, Vectors v, Vectors a, D1 kinetic, D1 potential) {
            Vectors half = add(v, a, dt / 2);
            Vectors x2 = add(x, half, dt);
            Vectors a2 = way.accelerations(x2, m);
            Vectors v2 = add(half, a2, dt / 2);
            return std::tuple(x2, v2, a2, update(kinetic, sinter::index(t), kinetic_of(v2, m)),
                              update(potential, sinter::index(t), way.potential(x2, m)()));
        };
        auto none = fill(shape(steps), 0.);
        auto [x2, v2, a, kinetic, potential] = for_loop(steps, step, x, v, way.accelerations(x, m), none, none);
        return std::tuple(get<0>(x2), get<1>(x2), get<2>(x2), kinetic, potential);
    });
}

}  // namespace

Kernel nbody() {
    A1 c[6];
    for (A1& component : c) component = random_array(-1., 1., n);
    A1 m = random_array(0.5 / n, 1.5 / n, n);
    auto [x, v] = sinter::run(zip(c[0], c[1], c[2]), zip(c[3], c[4], c[5]));
    auto all = std::make_shared<Plain>();
    all->kinetic.resize(steps), all->potential.resize(steps);
    auto restart = [=] {
        for (int k = 0; k < 3; ++k) {
            all->x[k] = c[k].to_vector(), all->v[k] = c[k + 3].to_vector();
            all->a[k].resize(n);
        }
    };
    auto result = [=] {
        std::vector<double> values;
        for (auto* part : {&all->x[0], &all->x[1], &all->x[2], &all->kinetic, &all->potential}) append(values, *part);
        return values;
    };
    auto of = [=, x = x, v = v](auto way) { return [=, f = simulation(way)] { return f(x, v, m); }; };
    return {
        "nbody",
        "600 bodies, 10 steps",
        1e-9,
        {input("x", c[0]), input("y", c[1]), input("z", c[2]), input("vx", c[3]), input("vy", c[4]), input("vz", c[5]),
         input("mass", m), number("steps", steps), number("dt", dt), number("G", gravity), number("softening", softening)},
        {{"c++", [=] { restart(), plain_steps(*all, m.data()); }, result},
         form("nested", of(Nested{})),
         form("matrices", of(Matrices{})),
         form("index loops", of(Loops{}))}};
}

}  // namespace bench::npb
