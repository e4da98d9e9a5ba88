// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The Livermore shock hydrodynamics proxy, version 1.0 (Karlin et al., 2012): a blast in one corner of a cube, on a grid of
/// nodes and a grid of hexahedral elements. A step consists of some twenty array operations with up to 24 numbers per
/// element.
#pragma once

#include "common.hpp"

namespace programs::lulesh {

using Number = Exp<double>;
using Index = Exp<std::int64_t>;

/// A vector, both while a function is traced and as an element of an array.
struct Vec {
    Number x, y, z;
};
using Vector = std::array<double, 3>;
using Corners = std::array<Vector, 8>;

inline Vec vec(Exp<Vector> v) { return {v[0], v[1], v[2]}; }
inline Exp<Vector> element(const Vec& v) { return std::array{v.x, v.y, v.z}; }
inline Vec operator+(const Vec& a, const Vec& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator-(const Vec& a, const Vec& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator*(Number s, const Vec& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Vec operator*(double s, const Vec& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Number dot(const Vec& a, const Vec& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec cross(const Vec& a, const Vec& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Number triple(const Vec& a, const Vec& b, const Vec& c) { return dot(a, cross(b, c)); }

/// The eight corners of an element, and values at them.
using Hex = std::array<Vec, 8>;

constexpr int corner_offset[8][3] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {0, 1, 0},
                                     {1, 0, 0}, {1, 0, 1}, {1, 1, 1}, {1, 1, 0}};  // z, y, x
constexpr int face[6][4] = {{0, 1, 2, 3}, {0, 4, 5, 1}, {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}, {4, 7, 6, 5}};
constexpr int faces_at[8][3] = {{0, 1, 4}, {0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {1, 4, 5}, {1, 2, 5}, {2, 3, 5}, {3, 4, 5}};

using Nodes = Delayed<Vector, 3>;
using Elements = Delayed<double, 3>;

inline Hex corners_of(const Nodes& nodes, Index z, Index y, Index x) {
    Hex all;
    for (int c = 0; c < 8; ++c) {
        const auto [dz, dy, dx] = corner_offset[c];
        all[c] = vec(nodes(z + dz, y + dy, x + dx));
    }
    return all;
}
inline Exp<Corners> elements_of(const Hex& h) {
    std::array<Exp<Vector>, 8> all;
    for (int c = 0; c < 8; ++c) all[c] = element(h[c]);
    return all;
}
inline Hex hex(Exp<Corners> e) {
    Hex all;
    for (int c = 0; c < 8; ++c) all[c] = vec(e[c]);
    return all;
}

// Forces

inline Hex stress(const Hex& p, Number sigma) {
    Vec normal[6];
    for (int f = 0; f < 6; ++f) {
        const auto [a, b, c, d] = face[f];
        normal[f] = 0.25 * cross(0.5 * (p[d] + p[c] - p[b] - p[a]), 0.5 * (p[c] + p[b] - p[d] - p[a]));
    }
    Hex force;
    for (int c = 0; c < 8; ++c)
        force[c] = -sigma * (normal[faces_at[c][0]] + normal[faces_at[c][1]] + normal[faces_at[c][2]]);
    return force;
}

/// Acts against the modes of deformation that the stress does not see: Flanagan and Belytschko (1981).
inline Hex hourglass(const Hex& p, const Hex& u, Number v, Number v0, Number sound) {
    constexpr int points[8][6] = {{1, 2, 3, 4, 5, 7}, {2, 3, 0, 5, 6, 4}, {3, 0, 1, 6, 7, 5}, {0, 1, 2, 7, 4, 6},
                                  {7, 6, 5, 0, 3, 1}, {4, 7, 6, 1, 0, 2}, {5, 4, 7, 2, 1, 3}, {6, 5, 4, 3, 2, 0}};
    constexpr int sign[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                {1, -1, -1, 1, -1, 1, 1, -1},
                                {1, -1, 1, -1, 1, -1, 1, -1},
                                {-1, 1, -1, 1, 1, -1, 1, -1}};
    Hex derivative;
    for (int k = 0; k < 8; ++k) {
        const auto [a, b, c, d, e, f] = points[k];
        derivative[k] =
            1. / 12 * (cross(p[b] + p[c], p[a] + p[b]) + cross(p[a] + p[e], p[d] + p[e]) + cross(p[d] + p[f], p[c] + p[f]));
    }
    const Number volume = v * v0, scale = -0.03 * sound * v0 / cbrt(volume);
    Hex force;
    for (int m = 0; m < 4; ++m) {
        Vec mode = double(sign[m][0]) * p[0];
        for (int c = 1; c < 8; ++c) mode = mode + double(sign[m][c]) * p[c];
        Number h[8];
        for (int c = 0; c < 8; ++c) h[c] = sign[m][c] - dot(derivative[c], mode) / volume;
        Vec w = h[0] * u[0];
        for (int c = 1; c < 8; ++c) w = w + h[c] * u[c];
        for (int c = 0; c < 8; ++c) force[c] = m == 0 ? h[c] * w : force[c] + h[c] * w;
    }
    for (Vec& f : force) f = scale * f;
    return force;
}

/// The sum over the elements around each node.
inline Nodes gathered(const Delayed<Corners, 3>& forces, std::int64_t n) {
    return generate(shape(n + 1, n + 1, n + 1), [=](Index z, Index y, Index x) {
        Vec total{0., 0., 0.};
        for (int c = 0; c < 8; ++c) {
            const auto [dz, dy, dx] = corner_offset[c];
            const Index i = z - dz, j = y - dy, k = x - dx;
            const auto inside = i >= 0 && i < n && j >= 0 && j < n && k >= 0 && k < n;
            total = total + vec(cond(inside, [&] { return forces(i, j, k)[c]; }, [] { return Exp<Vector>(Vector{}); }));
        }
        return element(total);
    });
}

// Kinematics

/// Relative volume, its change, the rate of the volume divided by the volume, and a length.
using Kinematics = std::array<double, 4>;

inline Exp<Kinematics> kinematics(const Hex& p, const Hex& u, Number v, Number v0, Number dt) {
    const Number volume = 1. / 12 *
                          (triple(p[3] - p[1] + p[7] - p[2], p[6] - p[3], p[2] - p[0]) +
                           triple(p[4] - p[3] + p[5] - p[7], p[6] - p[4], p[7] - p[0]) +
                           triple(p[1] - p[4] + p[2] - p[5], p[6] - p[1], p[5] - p[0]));
    Number area = 0.;
    for (const auto& [a, b, c, d] : face) {
        const Vec f = (p[c] - p[a]) - (p[d] - p[b]), g = (p[c] - p[a]) + (p[d] - p[b]);
        area = max(area, dot(f, f) * dot(g, g) - dot(f, g) * dot(f, g));
    }
    Hex m;  // in the middle of the step
    for (int c = 0; c < 8; ++c) m[c] = p[c] - 0.5 * dt * u[c];
    const Vec a = m[6] - m[0], b = m[5] - m[3], c = m[7] - m[1], f = m[4] - m[2];
    const Vec x = 0.125 * (a + b - c - f), y = 0.125 * (a - b + c - f), z = 0.125 * (a + b + c + f);
    const Vec cx = cross(y, z), cy = cross(z, x), cz = cross(x, y);
    const Vec none{0., 0., 0.};
    const Vec b0 = none - cx - cy - cz, b1 = cx - cy - cz, b2 = cx + cy - cz, b3 = cy - cx - cz;
    const Number rate =
        (dot(b0, u[0] - u[6]) + dot(b1, u[1] - u[7]) + dot(b2, u[2] - u[4]) + dot(b3, u[3] - u[5])) / (8 * dot(y, cy));
    const Number relative = volume / v0;
    return std::array{relative, relative - v, rate, 4 * volume / sqrt(area)};
}

constexpr double tiny = 1e-36;

/// The lengths along the three directions of an element, and the gradients of the velocity along them.
using Gradients = std::tuple<Vector, Vector>;

inline Exp<Gradients> gradients(const Hex& p, const Hex& u, Number vn, Number v0) {
    auto sum_of = [](const Hex& h, int f) { return h[face[f][0]] + h[face[f][1]] + h[face[f][2]] + h[face[f][3]]; };
    auto between = [&](const Hex& h, int f, int g) { return 0.25 * (sum_of(h, f) - sum_of(h, g)); };
    const Vec xi = between(p, 2, 4), eta = between(p, 3, 1), zeta = between(p, 5, 0);
    const Vec a = cross(eta, zeta), b = cross(zeta, xi), c = cross(xi, eta);
    const Number volume = v0 * vn;
    auto length = [&](const Vec& v) { return volume / sqrt(dot(v, v) + tiny); };
    auto gradient = [&](const Vec& v, int f, int g) { return dot(v, between(u, f, g)) / (volume + tiny); };
    return std::tuple(element({length(a), length(b), length(c)}),
                      element({gradient(a, 2, 4), gradient(b, 3, 1), gradient(c, 5, 0)}));
}

// Artificial viscosity, linear and quadratic

using Viscosity = std::tuple<double, double>;

inline Delayed<Viscosity, 3> viscosity(const Delayed<Gradients, 3>& grad, const Delayed<Kinematics, 3>& kin,
                                       std::int64_t n) {
    auto at = [=](Index z, Index y, Index x, Exp<Gradients> gradients, Exp<Kinematics> here) {
        const auto [lengths, own] = gradients;
        auto neighbour = [&](int axis, int step) {
            const Index place = axis == 0 ? x : axis == 1 ? y : z;
            const auto inside = step < 0 ? place > 0 : place < n - 1;
            const Index moved = select(inside, place + step, place);
            const auto there = axis == 0 ? grad(z, y, moved) : axis == 1 ? grad(z, moved, x) : grad(moved, y, x);
            const Number value = there.template get<1>()[axis];
            return step < 0 ? value : select(inside, value, 0.);
        };
        Number linear = 0., quadratic = 0.;
        for (int k = 0; k < 3; ++k) {
            const Number s = 1 / (own[k] + tiny), l = neighbour(k, -1) * s, r = neighbour(k, 1) * s;
            const Number phi = min(max(min(min(0.5 * (l + r), 2 * l), 2 * r), 0.), 1.);
            const Number d = min(own[k] * lengths[k], 0.);
            linear += d * (1 - phi);
            quadratic += d * d * (1 - phi * phi);
        }
        const Number rho = 1 / here[0];
        const auto expands = here[2] > 0;
        return std::tuple(select(expands, 0., -0.5 * rho * linear), select(expands, 0., 2. / 3 * rho * quadratic));
    };
    return map_indexed(at, grad, kin);
}

// Equation of state

/// Energy, pressure, viscosity, speed of sound.
using Thermodynamics = std::array<double, 4>;

inline Number compressed(Number c) { return 2. / 3 * (c + 1); }
inline Number pressure(Number e, Number c) {
    const Number x = compressed(c) * e;
    return max(select(abs(x) < 1e-7, 0., x), 0.);
}
inline Number cut(Number e) { return max(select(abs(e) < 1e-7, 0., e), -1e15); }

inline Exp<Thermodynamics> equation_of_state(Number volume, Number dv, Number e, Number p, Number q, Number ql, Number qq) {
    const Number v = max(min(volume, 1e9), 1e-9);
    const Number c = 1 / v - 1, half = 1 / (v - dv / 2) - 1, v_half = 1 / (1 + half);
    auto viscous = [&](Number w, Number energy, Number press, Number compression) {
        const Number x = 2. / 3 * energy + w * w * compressed(compression) * press;
        const Number sound = select(x <= 1.11111e-37, 3.33333e-19, sqrt(x));
        return select(dv > 0, 0., sound * ql + qq);
    };
    const Number e1 = max(e - dv / 2 * (p + q), -1e15);
    const Number p1 = pressure(e1, half), q1 = viscous(v_half, e1, p1, half);
    const Number e2 = cut(e1 + dv / 2 * (3 * (p + q) - 4 * (p1 + q1)));
    const Number p2 = pressure(e2, c), q2 = viscous(v, e2, p2, c);
    const Number e3 = cut(e2 - dv / 6 * (7 * (p + q) - 8 * (p1 + q1) + (p2 + q2)));
    const Number p3 = pressure(e3, c), q3 = viscous(v, e3, p3, c);
    const Number sound = sqrt(max(2. / 3 * e3 + v * v * compressed(c) * p3, 1.11111e-37));
    return std::array{e3, p3, select(abs(q3) < 1e-7, 0., q3), sound};
}

// Time

inline Number next_time_step(Number t, Number dt, Number courant, Number hydro) {
    Number c = select(courant < 1e20, courant / 2, 1e20);
    c = select(hydro < c, hydro * 2 / 3, c);
    const Number ratio = c / dt;
    c = select(ratio >= 1 && ratio < 1.1, dt, c);
    c = min(select(ratio > 1.2, 1.2 * dt, c), 0.01);
    const Number rest = 0.01 - t;
    return min(c, select(rest > c && rest < 4 * c / 3, 2 * rest / 3, rest));
}

/// A grid with n elements per edge.
struct Grid {
    std::int64_t n;
    Array<double, 3> mass;    ///< of the nodes
    Array<double, 3> volume;  ///< of the elements in the beginning
};

inline Grid grid(std::int64_t n) {
    const double side = 1.125 / static_cast<double>(n), volume = side * side * side;
    auto mass = generate(shape(n + 1, n + 1, n + 1), [=](Index z, Index y, Index x) {
        auto around = [=](Index i) { return select(i == 0 || i == n, Number(1), 2.); };
        return volume / 8 * (around(z) * around(y) * around(x));
    });
    return {n, run(mass), run(fill(shape(n, n, n), volume))};
}

/// One step: position, velocity, energy, pressure, viscosity, volume, speed of sound; time and time step.
inline auto step(const Grid& g, Nodes pos, Nodes vel, Elements e, Elements p, Elements q, Elements v, Elements ss, Number t,
                 Number dt) {
    const std::int64_t n = g.n;
    auto cells = shape(n, n, n);
    auto sigma = -p - q;
    auto corners = generate(cells, [=](Index z, Index y, Index x) { return elements_of(corners_of(pos, z, y, x)); });
    auto stresses = map([](Exp<Corners> c, Number s) { return elements_of(stress(hex(c), s)); }, corners, sigma);
    auto resistance = generate(cells, [=](Index z, Index y, Index x) {
        return elements_of(
            hourglass(corners_of(pos, z, y, x), corners_of(vel, z, y, x), v(z, y, x), g.volume(z, y, x), ss(z, y, x)));
    });
    auto forces = map(
        [](Exp<Corners> a, Exp<Corners> b) {
            Hex sum = hex(a), other = hex(b);
            for (int c = 0; c < 8; ++c) sum[c] = sum[c] + other[c];
            return elements_of(sum);
        },
        stresses, resistance);
    auto acceleration = map_indexed(
        [](Index z, Index y, Index x, Exp<Vector> f, Number m) {
            return element({select(x == 0, 0., f[0] / m), select(y == 0, 0., f[1] / m), select(z == 0, 0., f[2] / m)});
        },
        gathered(forces, n), g.mass);
    Nodes next_vel = map(
        [=](Exp<Vector> u, Exp<Vector> a) {
            const Vec w = vec(u) + dt * vec(a);
            auto rounded = [](Number x) { return select(abs(x) < 1e-7, 0., x); };
            return element({rounded(w.x), rounded(w.y), rounded(w.z)});
        },
        vel, acceleration);
    Nodes next_pos = map([=](Exp<Vector> x, Exp<Vector> u) { return element(vec(x) + dt * vec(u)); }, pos, next_vel);

    Delayed<Kinematics, 3> kin = generate(cells, [=](Index z, Index y, Index x) {
        return kinematics(corners_of(next_pos, z, y, x), corners_of(next_vel, z, y, x), v(z, y, x), g.volume(z, y, x), dt);
    });
    Delayed<Gradients, 3> grad = map_indexed(
        [=](Index z, Index y, Index x, Exp<Kinematics> k, Number v0) {
            return gradients(corners_of(next_pos, z, y, x), corners_of(next_vel, z, y, x), k[0], v0);
        },
        kin, g.volume);
    auto eos = map(
        [](Exp<Kinematics> k, Exp<Viscosity> visc, Number energy, Number press, Number viscous) {
            const auto [ql, qq] = visc;
            return equation_of_state(k[0], k[1], energy, press, viscous, ql, qq);
        },
        kin, viscosity(grad, kin, n), e, p, q);
    auto component = [=](std::size_t i) { return map([=](Exp<Thermodynamics> s) { return s[i]; }, eos); };
    Elements next_v = map([](Exp<Kinematics> k) { return select(abs(k[0] - 1) < 1e-10, 1., k[0]); }, kin);
    Elements sound = component(3);

    auto least = [](const Elements& a) { return fold_all([](Number x, Number y) { return min(x, y); }, 1e20, a); };
    auto courant = least(map(
        [](Exp<Kinematics> k, Number s) {
            const Number fast = select(k[2] < 0, 256 * k[3] * k[3] * k[2] * k[2], 0.);
            return select(k[2] == 0, 1e20, k[3] / sqrt(s * s + fast));
        },
        kin, sound));
    auto hydro = least(map([](Exp<Kinematics> k) { return select(k[2] == 0, 1e20, 0.1 / (abs(k[2]) + 1e-20)); }, kin));
    const Number now = t + dt;
    return std::tuple(next_pos, next_vel, Elements(component(0)), Elements(component(1)), Elements(component(2)), next_v,
                      sound, now, next_time_step(now, dt, courant(), hydro()));
}

/// What is examined after some steps: energies, pressures, viscosities, volumes; velocities; time and time step.
struct Outcome {
    Delayed<double, 3> e, p, q, v;
    Delayed<Vector, 3> velocity;
    Delayed<double, 0> t, dt;
    Delayed<std::int64_t, 0> steps;
};

/// Runs until time 0.01, or for this many steps.
inline Outcome simulate(const Grid& g, std::int64_t most) {
    const std::int64_t n = g.n;
    auto pos = generate(shape(n + 1, n + 1, n + 1), [=](Index z, Index y, Index x) {
        auto at = [=](Index i) { return 1.125 * cast<double>(i) / static_cast<double>(n); };
        return element({at(x), at(y), at(z)});
    });
    auto rest = generate(shape(n + 1, n + 1, n + 1), [](Index, Index, Index) { return Exp<Vector>(Vector{}); });
    auto zero = fill(shape(n, n, n), 0.), one = fill(shape(n, n, n), 1.);
    auto blast = generate(shape(n, n, n), [](Index z, Index y, Index x) {
        return select(z == 0 && y == 0 && x == 0, Number(3.948746e7), 0.);
    });
    auto more = [=](Nodes, Nodes, Elements, Elements, Elements, Elements, Elements, Number t, Number, Index k) {
        return t < 0.01 && k < most;
    };
    auto body = [=](Nodes x, Nodes u, Elements e, Elements p, Elements q, Elements v, Elements ss, Number t, Number dt,
                    Index k) { return std::tuple_cat(step(g, x, u, e, p, q, v, ss, t, dt), std::tuple(k + 1)); };
    auto [x, u, e, p, q, v, ss, t, dt, k] =
        while_loop(more, body, pos, rest, blast, zero, zero, one, zero, 0., 1e-7, std::int64_t{0});
    return {e, p, q, v, u, t, dt, k};
}

}  // namespace programs::lulesh
