// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a lane loop that is executed for its effects passes the indices at which clamps, checks and comparisons of an index
/// change what they do.
#pragma once

#include "schedule/facts/pattern.hpp"
#include "schedule/facts/sides.hpp"

namespace sinter::schedule {

enum class Borders : std::uint8_t {
    masked,       ///< vectors in the interior, where no index is clamped; what is before and behind it goes under masks
    overlapping,  ///< vectors in the interior, of which the last ones overlap their neighbours; single elements outside
    pieces,       ///< from one turning point of a comparison to the next; all lanes take the same side in between
};

/// For a block whose last parameter is the index of the lane. `environment` is what is around it. Where all comparisons have
/// sides, the interior is one piece. Linear in the size of the block.
Borders borders_of(const lower::Kernel& kernel, const ControlFlow& control, const lower::Block& block,
                   const std::vector<Pattern>& environment, const std::vector<Pattern>& params, const Sides& sides = {});

}  // namespace sinter::schedule
