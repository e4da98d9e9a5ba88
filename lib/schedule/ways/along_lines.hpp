// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What steps of a sequential loop compute without the steps before, where lanes are lines (strips.hpp). A line is
/// contiguous in memory, so this is better done in vectors along each line, for many steps of one line after another:
/// neighbours are loaded as they are, what is clamped at the ends of the axis is clamped there only, and what lines share is
/// loaded once. Then only what steps need of it is transposed, be it made from many loads: as the right side of a system,
/// which a stencil makes, for the elimination along a line.
#pragma once

#include "schedule/ways/loop_accesses.hpp"

#include <optional>
#include <vector>

namespace sinter::schedule {

struct AlongLines {
    lower::Block block;             ///< of the loop's counter; its last result is the counter itself
    std::vector<std::size_t> made;  ///< by other result: the instruction of the loop's body that makes it
    std::vector<bool> only_here;    ///< by instruction of the loop's body: no step executes it
};

/// Nothing where it would not pay.
std::optional<AlongLines> along_lines(const lower::Kernel& kernel, const LoopAccesses& accesses);

}  // namespace sinter::schedule
