// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many tridiagonal systems at once: the heat equation, one implicit step in each of many rods.
//
//   tridiagonal [rods] [points]
#include "programs/tridiagonal.hpp"

#include <cstdlib>

using namespace programs;

int main(int argc, char** argv) {
    const std::int64_t rods = argc > 2 ? std::atoll(argv[1]) : 100, points = argc > 2 ? std::atoll(argv[2]) : 10000;
    const auto side = [=](std::int64_t none) {
        return run(generate(shape(rods, points),
                            [=](Exp<std::int64_t>, Exp<std::int64_t> i) { return select(i == none, Exp<double>(0), -1.); }));
    };
    const Array<double, 2> a = side(0), c = side(points - 1), b = run(fill(shape(rods, points), 2.5)),
                           y = make_input<2>({rods, points}, [](Exp<std::int64_t> i) { return unit64(1, i); });
    Report report;
    const Array<double, 2> x = report.timed("solution", [&] { return run(solve_tridiagonal<double, 2>(a, b, c, y)); });

    auto around = [](auto s) { return 2.5 * s(0, 0) - s(0, -1) - s(0, 1); };
    const auto residual = run(max(flatten(abs(stencil(around, boundary::constant(0.), x) - y)))).item();
    report.near("largest residual", residual, 0, 1e-14);
    return report.status();
}
