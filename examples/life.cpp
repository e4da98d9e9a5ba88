// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The game of life on a torus, and what becomes of the R-pentomino: life.png.
//
//   life [height] [width] [steps]
#include "programs/life.hpp"
#include "programs/progress_bar.hpp"

#include <sinter/png.hpp>

#include <cstdlib>

using namespace programs;

/// Eight by eight pixels for each cell.
static Array<std::uint8_t, 2> enlarged(const Array<bool, 2>& world) {
    return run(generate(shape(8 * world.shape()[0], 8 * world.shape()[1]), [=](auto i, auto j) {
        auto gap = i % 8 == 0 || j % 8 == 0;
        return select(world(i / 8, j / 8) && !gap, Exp<std::uint8_t>(40), std::uint8_t{245});
    }));
}

int main(int argc, char** argv) {
    const std::int64_t height = argc > 3 ? std::atoll(argv[1]) : 4096, width = argc > 3 ? std::atoll(argv[2]) : 4096,
                       steps = argc > 3 ? std::atoll(argv[3]) : 10;
    Report report;
    const Array<bool, 2> world = random_world(height, width);
    const Array<bool, 2> later =
        report.timed("generations", [&] { return run(generations(world, steps), {.progress = ProgressBar()}); });
    const std::int64_t population = run(count(flatten(later))).item();
    if (height == 4096 && width == 4096 && steps == 10) report.exact("population", population, 3327743);
    if (height == 100 && width == 130 && steps == 100) report.exact("population", population, 1083);

    const Array<bool, 2> pentomino = run(generations(r_pentomino(), 100));
    for (std::int64_t i = 12; i < 52; ++i) {
        for (std::int64_t j = 0; j < 64; ++j) std::cout << (pentomino(i, j) ? '#' : '.');
        std::cout << '\n';
    }
    save_png("life.png", enlarged(pentomino));
    report.exact("R-pentomino after 100 generations", run(count(flatten(pentomino))).item(), 121);
    return report.status();
}
