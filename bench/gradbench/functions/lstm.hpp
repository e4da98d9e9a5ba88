// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The loss of a recurrent network whose weights are diagonal matrices, on a sequence.
#pragma once

#include "common.hpp"

namespace gradbench {

inline Real sigmoid(Real x) { return 1.0 / (1.0 + exp(-x)); }

using Cell = std::tuple<double, double>;  ///< what a layer puts out, and what it remembers

/// Each layer's next cell. A layer has two rows of `main`, the weights and the biases of four gates, and its input is the
/// output of the layer before it.
inline Delayed<Cell, 2> next_cells(Matrix main, Vector input, Matrix hidden, Matrix memory) {
    const Index width = size(input);
    auto row = [=](Long first, Long gate) {
        return slice(main, range(first, extent(main, 0), 2), range(gate * width, (gate + 1) * width));
    };
    auto step = [](Exp<Cell> below, Real h, Real c, Real wf, Real wi, Real wo, Real wg, Real bf, Real bi, Real bo, Real bg) {
        const Real in = below.get<0>();
        const Real next = c * sigmoid(in * wf + bf) + sigmoid(h * wi + bi) * tanh(h * wg + bg);
        return std::tuple(sigmoid(in * wo + bo) * tanh(next), next);
    };
    const auto start = map([](Real x) { return std::tuple(x, Real(0.0)); }, input);
    return recur(step, start, hidden, memory, row(0, 0), row(0, 1), row(0, 2), row(0, 3), row(1, 0), row(1, 1), row(1, 2),
                 row(1, 3), axis(0));
}

/// `extra`: weights of the input, weights and biases of the output. `state`: for each layer, what it put out and remembers.
inline Scalar loss(Matrix main, Matrix extra, Matrix state, Matrix sequence) {
    const Index width = extent(sequence, 1), steps = extent(sequence, 0) - 1, layers = extent(state, 0) / 2;
    auto rows = [=](Long first) { return slice(state, range(first, extent(state, 0), 2), all); };
    auto step = [=](Index t, Matrix hidden, Matrix memory, Real total) {
        const auto cells = next_cells(main, row(sequence, t) * row(extra, 0), hidden, memory);
        auto [h, c] = unzip(cells);
        const Vector guess = row(h, layers - 1) * row(extra, 1) + row(extra, 2);
        const Scalar normalisation = log(sum(exp(guess)) + 2.0);
        return std::tuple(h, c, total + sum(row(sequence, t + 1) * (guess - normalisation))());
    };
    auto [hidden, memory, total] = for_loop(steps, step, rows(0), rows(1), 0.0);
    return -total / cast<double>(steps * width);
}

}  // namespace gradbench
