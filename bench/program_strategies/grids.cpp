// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <programs/blur_sobel.hpp>
#include <programs/life.hpp>
#include <programs/lulesh.hpp>
#include <programs/mandelbrot.hpp>
#include <programs/multigrid.hpp>
#include <programs/pathfinder.hpp>

namespace bench {
namespace {

using namespace programs;

Planner turned_worlds() {
    const World world = random_world(1024, 1024);
    return planner(for_loop(10, [](Exp<std::int64_t>, World w) { return next_generation_by_rotation(w); }, world));
}

Planner lulesh_steps() {
    const auto o = lulesh::simulate(lulesh::grid(16), 10);
    return planner(std::tuple(o.e, o.p, o.q, o.v, o.velocity, o.t));
}

Planner escaping() {
    const auto n = escape_times<float>(whole_set<float>, 1600, 1200);
    return planner(std::tuple(n, sum(flatten(map([](Exp<std::int32_t> k) { return cast<std::int64_t>(k); }, n)))));
}

Planner multigrid_norm() {
    const MultigridClass c{32, 4, smoother_a};
    const Array<double, 3> v = right_hand_side(c.n);
    return planner(residual_norm(v, solution(c, v), c.n));
}

}  // namespace

std::vector<Program> grids() {
    return {
        {"blur and Sobel", [] { return planner(edges(test_image(2160, 3840))); }},
        {"blur and Sobel, by sum", [] { return planner(edges_by_sum(test_image(2160, 3840))); }},
        {"life", [] { return planner(generations(random_world(2048, 2048), 20)); }},
        {"life, by rotation", turned_worlds},
        {"LULESH", lulesh_steps},
        {"Mandelbrot", escaping},
        {"multigrid", multigrid_norm},
        {"pathfinder", [] { return planner(cheapest_paths(100'000, 100)); }},
    };
}

}  // namespace bench
