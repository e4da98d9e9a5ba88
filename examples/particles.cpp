// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies under their own gravity: arrays of records, all pairs, one kernel per step.
//
//   particles [bodies] [steps]
//
// A Body is an ordinary struct. Sinter stores an array of them in one buffer per member.
#include <sinter/sinter.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Body {
    float x, y, z, mass, vx, vy, vz;
};
BOOST_HANA_ADAPT_STRUCT(Body, x, y, z, mass, vx, vy, vz);

using namespace sinter;

namespace {

/// Number i of stream s, in [-1, 1): the generator SplitMix64.
float symmetric(std::uint64_t s, std::uint64_t i) {
    std::uint64_t z = s + (i + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return 2 * (float((z ^ (z >> 31)) >> 40) * 0x1p-24f) - 1;
}

std::vector<Body> bodies(std::uint64_t n) {
    std::vector<Body> all(n);
    for (std::uint64_t i = 0; i < n; ++i)
        all[i] = {symmetric(11, 3 * i),           symmetric(11, 3 * i + 1),
                  symmetric(11, 3 * i + 2),       (0.5f + (symmetric(12, i) + 1) / 2) / float(n),
                  0.5f * symmetric(13, 3 * i),    0.5f * symmetric(13, 3 * i + 1),
                  0.5f * symmetric(13, 3 * i + 2)};
    return all;
}

using Vector3 = std::tuple<float, float, float>;

/// The attraction of `body` by `other`; zero for the body itself, because the distance is zero.
auto attraction(Exp<Body> body, Exp<Body> other, Exp<float> softening) {
    auto dx = field<&Body::x>(other) - field<&Body::x>(body);
    auto dy = field<&Body::y>(other) - field<&Body::y>(body);
    auto dz = field<&Body::z>(other) - field<&Body::z>(body);
    auto w = 1.f / sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
    auto s = field<&Body::mass>(other) * (w * w * w);
    return std::tuple(s * dx, s * dy, s * dz);
}

auto add(Exp<Vector3> a, Exp<Vector3> b) {
    auto [ax, ay, az] = a;
    auto [bx, by, bz] = b;
    return std::tuple(ax + bx, ay + by, az + bz);
}

/// Every body with every other: n times n pairs, of which nothing is stored thanks to fusion.
Delayed<Vector3> accelerations(Delayed<Body> all, Exp<float> softening) {
    Delayed<Body, 2> others = replicate(size(all), all);
    Delayed<Body, 2> bodies = transpose(others);
    auto pulls = map([=](Exp<Body> body, Exp<Body> other) { return attraction(body, other, softening); }, bodies, others);
    return fold(add, Vector3(0.f, 0.f, 0.f), pulls);
}

/// One step: the position with the old velocity, then the velocity.
Delayed<Body> step(Delayed<Body> all, Exp<float> softening, Exp<float> dt) {
    return map(
        [=](Exp<Body> body, Exp<Vector3> acceleration) {
            auto [x, y, z, mass, vx, vy, vz] = body;
            auto [ax, ay, az] = acceleration;
            return record<Body>(x + dt * vx, y + dt * vy, z + dt * vz, mass, vx + dt * ax, vy + dt * ay, vz + dt * az);
        },
        all, accelerations(all, softening));
}

bool check(const char* what, double got, double expected, double tolerance) {
    const bool good = std::abs(got - expected) <= tolerance;
    std::printf("%-22s%.9f   expected %.9f: %s\n", what, got, expected, good ? "ok" : "WRONG");
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    const std::uint64_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000;
    const int steps = argc > 2 ? std::atoi(argv[2]) : 10;
    Array<Body> all = from(bodies(n));
    const auto momentum = [](const Array<Body>& state) {
        return double(run(sum(field<&Body::mass>(state) * field<&Body::vx>(state))).item());
    };
    const double momentum_before = momentum(all);

    const auto advance = compile(step);
    for (int k = 0; k < steps; ++k) all = advance(all, 0.05f, 0.01f);

    double sum_x = 0, sum_r2 = 0;
    for (const Body& b : all.to_vector()) {
        sum_x += b.x;
        sum_r2 += double(b.x) * b.x + double(b.y) * b.y + double(b.z) * b.z;
    }
    std::printf("%llu bodies, %d steps\n", static_cast<unsigned long long>(n), steps);
    bool good = check("momentum", momentum(all), momentum_before, 1e-6);
    if (steps == 10 && n == 100) {
        good &= check("sum of x", sum_x, 1.55575394603, 1e-4);
        good &= check("sum of |position|^2", sum_r2, 92.2307692091, 1e-3);
    }
    if (steps == 10 && n == 1000) {
        good &= check("sum of x", sum_x, -19.0967643261, 1e-3);
        good &= check("sum of |position|^2", sum_r2, 989.362276369, 1e-2);
    }
    return good ? 0 : 1;
}
