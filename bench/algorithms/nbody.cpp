// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "algorithm.hpp"
#include "hand/vector.hpp"

#include <programs/nbody.hpp>

namespace bench {
namespace {

constexpr float softening = 0.1f;

/// The attraction of a vector of bodies by each body in turn; two vectors at a time, so that one's division hides the
/// other's latency.
void attract(const float* const* bodies, float* out, index n) {
    using simd::vec;
    constexpr index w = simd::lanes<float>, together = 2;
    const float *px = bodies[0], *py = bodies[1], *pz = bodies[2], *mass = bodies[3];
#pragma omp parallel for schedule(dynamic, 16)
    for (index i = 0; i < n; i += together * w) {
        vec<float> x[together], y[together], z[together], ax[together] = {}, ay[together] = {}, az[together] = {};
        for (index t = 0; t < together; ++t) {
            x[t] = simd::load(px + i + t * w);
            y[t] = simd::load(py + i + t * w);
            z[t] = simd::load(pz + i + t * w);
        }
        for (index j = 0; j < n; ++j)
#pragma GCC unroll 2
            for (index t = 0; t < together; ++t) {
                const vec<float> dx = px[j] - x[t], dy = py[j] - y[t], dz = pz[j] - z[t];
                const vec<float> w1 = 1.f / simd::sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
                const vec<float> s = mass[j] * (w1 * w1 * w1);
                ax[t] += s * dx;
                ay[t] += s * dy;
                az[t] += s * dz;
            }
        for (index t = 0; t < together; ++t) {
            simd::store(out + i + t * w, ax[t] + ay[t] + az[t]);
        }
    }
}

std::vector<Contender> contenders(index n) {
    using namespace sinter;
    using Vector = programs::Vector3<float>;
    auto x = random_numbers<float>(n, -1000, 1000, 1000.f), y = random_numbers<float>(n, -999, 1000, 1000.f);
    auto z = random_numbers<float>(n, -998, 1000, 1000.f), mass = random_numbers<float>(n, 1, 9);
    auto out = zeros<float>(n);
    auto felt = compile([](Delayed<float> px, Delayed<float> py, Delayed<float> pz, Delayed<float> m) {
        Delayed<Vector> there = zip(px, py, pz);
        auto sum_of_components = [](Exp<Vector> a) { return get<0>(a) + get<1>(a) + get<2>(a); };
        return map(sum_of_components, programs::accelerations<float>(there, m, softening));
    });
    auto hand = [=] {
        const float* bodies[] = {x->data(), y->data(), z->data(), mass->data()};
        attract(bodies, out->data(), n);
    };
    return {writes("hand", out, hand), contender(felt, from(*x), from(*y), from(*z), from(*mass))};
}

}  // namespace

std::vector<Algorithm> nbody_steps() {
    return {{"n-body forces", {1024, 8192}, [](index n) { return double(n) * double(n); }, "Gpairs/s", contenders}};
}

}  // namespace bench
