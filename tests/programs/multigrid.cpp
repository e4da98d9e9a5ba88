// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support.hpp"

#include <programs/multigrid.hpp>

#include <set>

using namespace programs;
using conform::everywhere_near;

TEST_CASE("multigrid: the right-hand side") {
    using Points = std::set<std::array<int, 3>>;
    const Points plus{{7, 1, 20},  {19, 29, 31}, {2, 0, 3},   {4, 22, 3},  {1, 16, 21},
                      {21, 31, 6}, {12, 15, 12}, {30, 4, 25}, {28, 0, 28}, {17, 26, 17}},
        minus{{0, 11, 2}, {13, 8, 17},  {5, 14, 0},   {4, 28, 15}, {12, 2, 1},
              {5, 17, 8}, {20, 19, 11}, {26, 15, 31}, {8, 25, 22}, {7, 14, 26}};
    Points found_plus, found_minus;
    const auto v = right_hand_side(32);
    for (int i = 0; i < 32; ++i)
        for (int j = 0; j < 32; ++j)
            for (int k = 0; k < 32; ++k) {
                if (v(i, j, k) == 1) found_plus.insert({k, j, i});
                if (v(i, j, k) == -1) found_minus.insert({k, j, i});
            }
    CHECK(found_plus == plus);
    CHECK(found_minus == minus);
}

TEST_CASE("multigrid: small cubes, everywhere") {
    struct Reference {
        std::int64_t n, iterations;
        double norm;
    };
    for (const Reference& r : {Reference{4, 0, 5.5901699437495e-01},
                               {4, 1, 8.7608052703148e-02},
                               {4, 2, 2.4322927412802e-02},
                               {8, 3, 2.1600322308380e-03}}) {
        CAPTURE(r.n, r.iterations);
        const auto v = right_hand_side(r.n);
        const auto norm = residual_norm(v, solution({r.n, r.iterations, smoother_a}, v), r.n);
        CHECK(everywhere_near(norm, 1e-14).item() == Approx(r.norm).epsilon(1e-11));
    }
}

TEST_CASE("multigrid: class S") {
    const auto v = right_hand_side(32);
    const double norms[] = {2.4705294220065e-02, 2.9337960976328e-03, 6.3150017906228e-04, 1.7360856792372e-04,
                            5.3077070057349e-05};
    for (std::int64_t iterations = 0; iterations <= 4; ++iterations) {
        const auto norm = residual_norm(v, solution({32, iterations, smoother_a}, v), 32);
        for (const Fusion fusion : conform::strategies) {
            CAPTURE(iterations, static_cast<int>(fusion));
            CHECK(run(norm, {.target = Target::host(2), .fusion = fusion}).item() ==
                  Approx(norms[iterations]).epsilon(1e-11));
        }
    }
}
