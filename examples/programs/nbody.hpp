// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Bodies under their own gravity, softened: every body attracts every other. Written twice: with nested parallelism, and
/// flat.
#pragma once

#include "common.hpp"

namespace programs {

template <class Real>
using Vector3 = std::tuple<Real, Real, Real>;

inline constexpr auto add_vectors = [](auto a, auto b) {
    auto [ax, ay, az] = a;
    auto [bx, by, bz] = b;
    return std::tuple(ax + bx, ay + by, az + bz);
};

/// The attraction of a body at `here` by one at `there`; zero for the body itself, because the distance is zero.
template <class Real>
auto attraction(Exp<Vector3<Real>> here, Exp<Vector3<Real>> there, Exp<Real> mass, Real softening) {
    auto [x0, y0, z0] = here;
    auto [x1, y1, z1] = there;
    auto x = x1 - x0, y = y1 - y0, z = z1 - z0;
    auto w = 1 / sqrt(x * x + y * y + z * z + softening * softening);
    auto s = mass * (w * w * w);
    return std::tuple(s * x, s * y, s * z);
}

/// For each body, the sum over all.
template <class Real>
Delayed<Vector3<Real>> accelerations(Delayed<Vector3<Real>> positions, Delayed<Real> masses, Real softening) {
    return vmap(
        [=](Exp<Vector3<Real>> here) {
            auto pull = [=](Exp<Vector3<Real>> there, Exp<Real> mass) { return attraction(here, there, mass, softening); };
            return fold(add_vectors, Vector3<Real>{}, map(pull, positions, masses));
        },
        positions);
}

/// The same with all pairs as matrices, which fusion has to remove.
template <class Real>
Delayed<Vector3<Real>> accelerations_flat(Delayed<Vector3<Real>> positions, Delayed<Real> masses, Real softening) {
    auto there = replicate(size(positions), positions), here = transpose(there);
    auto pulls = map([=](Exp<Vector3<Real>> p, Exp<Vector3<Real>> q, Exp<Real> m) { return attraction(p, q, m, softening); },
                     here, there, replicate(size(positions), masses));
    return fold(add_vectors, Vector3<Real>{}, pulls);
}

template <class Real>
struct Bodies {
    Array<Vector3<Real>> positions;
    Array<Real> masses;
    Array<Vector3<Real>> velocities;
};

/// Positions and velocities after some steps; each step updates the position first, with the old velocity.
template <class Real, class Accelerations>
auto simulate(const Bodies<Real>& bodies, std::int64_t steps, Real dt, Accelerations accelerations) {
    using Vector = Delayed<Vector3<Real>>;
    auto advance = [=](Vector a, Vector rate) {
        auto scaled = map([=](auto x, auto y, auto z) { return std::tuple(dt * x, dt * y, dt * z); }, rate);
        return map(add_vectors, a, scaled);
    };
    auto step = [=](Exp<std::int64_t>, Vector positions, Vector velocities) {
        auto a = accelerations(positions);
        return std::tuple(advance(positions, velocities), advance(velocities, a));
    };
    auto [positions, velocities] = for_loop(steps, step, bodies.positions, bodies.velocities);
    return zip(positions, velocities);
}

/// The same numbers for float and double.
template <class Real>
Bodies<Real> make_bodies(std::int64_t n) {
    auto vector = [=](std::uint64_t stream, float scale) {
        return make_input(n, [=](Exp<std::int64_t> i) {
            auto component = [=](int k) { return cast<Real>(scale * symmetric32(stream, 3 * i + k)); };
            return std::tuple(component(0), component(1), component(2));
        });
    };
    auto mass = [=](Exp<std::int64_t> i) { return cast<Real>((0.5f + unit32(12, i)) / static_cast<float>(n)); };
    return {vector(11, 1), make_input(n, mass), vector(13, 0.5f)};
}

}  // namespace programs
