// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <programs/kmeans.hpp>
#include <programs/nbody.hpp>

namespace bench {
namespace {

using namespace programs;

template <class Accelerations>
Planner moved(Accelerations accelerations) {
    const Bodies<float> bodies = make_bodies<float>(1600);
    return planner(simulate(bodies, 5, 0.01f, [=](Delayed<Vector3<float>> positions) {
        return accelerations(positions, bodies.masses, 0.05f);
    }));
}

}  // namespace

std::vector<Program> points() {
    return {
        {"k-means", [] { return planner(kmeans(5, blobs(500'000, 5))); }},
        {"n-body", [] { return moved([](auto x, auto m, float s) { return accelerations<float>(x, m, s); }); }},
        {"n-body, flat", [] { return moved([](auto x, auto m, float s) { return accelerations_flat<float>(x, m, s); }); }},
    };
}

}  // namespace bench
