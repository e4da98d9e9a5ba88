// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#include <programs/nbody.hpp>

using namespace programs;
using conform::everywhere;
using conform::everywhere_near;

namespace {

/// Sums over all bodies: of the coordinates, of the squares of position and velocity, of the momentum along x.
struct Totals {
    double x = 0, y = 0, z = 0, position = 0, velocity = 0, momentum = 0;
};

template <class Real>
Totals totals(const Array<std::tuple<Vector3<Real>, Vector3<Real>>>& states, const Array<Real>& masses) {
    Totals t;
    const auto all = states.to_vector();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto [x, y, z] = std::get<0>(all[i]);
        const auto [vx, vy, vz] = std::get<1>(all[i]);
        t.x += x, t.y += y, t.z += z;
        t.position += double(x) * x + double(y) * y + double(z) * z;
        t.velocity += double(vx) * vx + double(vy) * vy + double(vz) * vz;
        t.momentum += double(masses(i)) * vx;
    }
    return t;
}

template <class Real>
auto flat(const Bodies<Real>& bodies, std::int64_t steps) {
    return simulate(bodies, steps, static_cast<Real>(0.01f), [=](Delayed<Vector3<Real>> positions) {
        return accelerations_flat<Real>(positions, bodies.masses, static_cast<Real>(0.05f));
    });
}

struct Reference {
    std::int64_t n, steps;
    Totals totals;
};
const Reference references[] = {
    {1, 10, {-0.340640217666, -0.492401009415, 0.28936992854, 0.442229467508, 0.119203048387, 0.2899658502}},
    {100, 0, {1.36563384533, 6.81634938717, 6.08179295063, 92.8419339857, 24.7464472765, 0.01640997525}},
    {100, 1, {1.3844939174, 6.8329357519, 6.08278354643, 92.8027065182, 24.7304928943, 0.01640997525}},
    {100, 10, {1.55575394603, 6.97880741659, 6.09981425472, 92.2307692091, 24.9750083913, 0.01640997525}},
    {1000, 1, {-19.7951415729, 12.4589815974, -27.6478095848, 991.245751093, 257.615655436, 0.01057553214}},
    {1000, 10, {-19.0967643261, 12.9687721088, -27.591498562, 989.362276369, 259.383350471, 0.01057553214}}};

void require_near(const Totals& got, const Totals& expected, double tolerance) {
    CHECK(std::abs(got.x - expected.x) <= tolerance);
    CHECK(std::abs(got.y - expected.y) <= tolerance);
    CHECK(std::abs(got.z - expected.z) <= tolerance);
    CHECK(std::abs(got.position - expected.position) <= 2 * tolerance);
    CHECK(std::abs(got.velocity - expected.velocity) <= 2 * tolerance);
    CHECK(std::abs(got.momentum - expected.momentum) <= 1e-6);
}

}  // namespace

TEST_CASE("n-body: in float") {
    for (const Reference& r : references) {
        CAPTURE(r.n, r.steps);
        const auto bodies = make_bodies<float>(r.n);
        const auto program = flat(bodies, r.steps);
        const auto after = r.n > 100 ? run(program) : everywhere_near(program, 1e-5);
        require_near(totals(after, bodies.masses), r.totals, static_cast<double>(r.n) * 1e-6);
    }
}

TEST_CASE("n-body: in double") {
    for (const Reference& r : references) {
        if (r.n > 100) continue;
        CAPTURE(r.n, r.steps);
        const auto bodies = make_bodies<double>(r.n);
        require_near(totals(everywhere_near(flat(bodies, r.steps), 1e-12), bodies.masses), r.totals, 1e-9);
    }
}

TEST_CASE("n-body: by hand") {
    const std::vector<Vector3<float>> positions{{0.f, 0.f, 0.f}, {2.f, 0.f, 0.f}};
    const auto pull = map([](auto p, auto q, auto m) { return attraction(p, q, m, 0.f); }, from(positions),
                          reverse(from(positions)), from({1.f, 1.f}));
    CHECK(everywhere(pull).to_vector() == std::vector<Vector3<float>>{{0.25f, 0.f, 0.f}, {-0.25f, 0.f, 0.f}});
}

TEST_CASE("n-body: nested is the same as flat") {
    const auto bodies = make_bodies<double>(100);
    const auto nested = simulate(bodies, 3, 0.01, [&](Delayed<Vector3<double>> positions) {
        return accelerations<double>(positions, bodies.masses, 0.05);
    });
    const auto expected = run(simulate(bodies, 3, 0.01, [&](Delayed<Vector3<double>> positions) {
        return accelerations_flat<double>(positions, bodies.masses, 0.05);
    }));
    conform::require_near(expected.to_vector(), everywhere_near(nested, 1e-13).to_vector(), 1e-13);
    CHECK(explain(accelerations<double>(bodies.positions, bodies.masses, 0.05)).clusters().size() == 1);
}
