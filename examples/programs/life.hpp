// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Conway's game of life on a torus.
#pragma once

#include "common.hpp"

namespace programs {

using World = Delayed<bool, 2>;

inline Exp<bool> lives(Exp<bool> cell, Exp<std::uint8_t> neighbours) { return neighbours == 3 || (cell && neighbours == 2); }

inline World next_generation(World world) {
    return stencil(
        [](auto s) {
            Exp<std::uint8_t> n = 0;
            for (int i = -1; i <= 1; ++i)
                for (int j = -1; j <= 1; ++j)
                    if (i != 0 || j != 0) n += cast<std::uint8_t>(s(i, j));
            return lives(s(0, 0), n);
        },
        boundary::wrap, world);
}

/// The same by moving the whole world in eight directions.
inline World next_generation_by_rotation(World world) {
    auto alive = map([](Exp<bool> cell) { return cast<std::uint8_t>(cell); }, world);
    Delayed<std::uint8_t, 2> n = rotate(alive, 1, 1) + rotate(alive, -1, 1);
    for (int k : {-1, 1}) {
        auto row = rotate(alive, k, 0);
        n = n + row + rotate(row, 1, 1) + rotate(row, -1, 1);
    }
    return map(lives, world, n);
}

inline World generations(World world, std::int64_t steps) {
    return for_loop(steps, [](Exp<std::int64_t>, World w) { return next_generation(w); }, world);
}

inline Array<bool, 2> random_world(std::int64_t height, std::int64_t width) {
    return make_input<2>({height, width}, [](Exp<std::int64_t> i) { return below(51, i, 4) == 0; });
}

/// The R-pentomino, which takes long to settle, in the middle of a world 64 x 64.
inline Array<bool, 2> r_pentomino() {
    return run(generate(shape(64, 64), [](Exp<std::int64_t> i, Exp<std::int64_t> j) {
        return (i == 31 && (j == 32 || j == 33)) || (i == 32 && (j == 31 || j == 32)) || (i == 33 && j == 32);
    }));
}

}  // namespace programs
