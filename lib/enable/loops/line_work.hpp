// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Splits the function of a map over a box: what is expensive and the same for all elements of a line is separated from the
/// rest, so that it can be computed once for the line.
#pragma once

#include "ir/function.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace sinter::enable {

/// The function of a map over a box. Parameters: any others, elements of lines, captured scalars.
struct BoxFunction {
    ir::Fn fn;
    std::vector<std::vector<std::size_t>> lines;  ///< the axes of each; it is repeated along the others
    std::size_t scalars;
};

/// What depends on lines along the same axes and on scalars alone.
struct LineWork {
    std::vector<std::size_t> axes, lines;  ///< `lines`: positions among those of the box's function
    ir::Fn fn;                             ///< parameters: elements of these lines, all scalars
};

struct SplitBoxFunction {
    std::optional<ir::Fn> scalars;  ///< what depends on scalars alone; its results are further scalars of the rest
    std::vector<LineWork> work;     ///< their results are further lines of the rest, in this order
    BoxFunction rest;
};

SplitBoxFunction split_lines(BoxFunction function);

}  // namespace sinter::enable
