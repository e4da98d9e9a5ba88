// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A counted loop that keeps its states on tapes, and the loop behind it that takes them from there, as reverse mode makes
/// them: one iteration of launches in parts, those of all iterations of both loops. A tape is an array with one slice for
/// each iteration, to which it adds one; here each slice is a value of its own. What is rank 0 in iterations and does not
/// depend on states, such as the number of the slice, is computed when the launches are found.
#pragma once

#include "run/execute/execution.hpp"
#include "run/execute/swept/known_sweeps.hpp"
#include "run/execute/tiled/tiles.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace sinter::runtime {

/// The states of a loop that are tapes: what an iteration leaves of them differs in one slice, and it does not read them.
std::vector<bool> find_tapes(const BodyPlan& body, std::size_t states);

/// What is the same in all executions with the same numbers and extents.
struct Sweep {
    /// An input of a launch that is a variable around the loops.
    struct Around {
        std::size_t launch, input;
        ValueId variable;
    };

    std::vector<std::shared_ptr<const CachedKernel>> kernels;  ///< which the launches refer to
    TiledLaunches body;                                        ///< its states: those of the second loop, then those of the
                                                               ///< first that are no tapes, which stay
    Outside outside;                                           ///< but for what is around the loops
    std::vector<Around> around;
    std::deque<Frame> frames;          ///< of all iterations: what `outside` points to
    std::deque<std::int64_t> numbers;  ///< the same
    schedule::StepsChoice choice;      ///< no rows: an iteration does something else, or tiles do not pay
    std::optional<TiledRound> round;
};

/// The launches of `count` iterations of both loops; nothing where an iteration does something else. `lean`: states are not
/// copied to tapes, if kernels can be compiled that do not.
bool find_launches(const Execution& execution, const LoopStep& there, const LoopStep& back, std::int64_t count, bool lean,
                   Frame& frame, Sweep& sweep);

}  // namespace sinter::runtime
