// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Walks over the instructions of a block and of all blocks nested in it, in the order in which they are written. They are
/// for walks that need no environment: one that follows the levels of locals through nested blocks is a class of its own.
#pragma once

#include "ir/function.hpp"

#include <algorithm>

namespace sinter::ir {

/// Calls `visit` with each instruction, before those of its blocks. `block` is a `Block` or a `const Block`.
template <class Blocks, class Visit>
void for_each_inst(Blocks& block, const Visit& visit) {
    for (auto& inst : block.insts) {
        visit(inst);
        for (auto& nested : inst.blocks) for_each_inst(nested, visit);
    }
}

/// True if `matches` holds for one of the instructions; stops at the first.
template <class Predicate>
bool any_inst(const Block& block, const Predicate& matches) {
    return std::any_of(block.insts.begin(), block.insts.end(), [&](const Inst& inst) {
        return matches(inst) || std::any_of(inst.blocks.begin(), inst.blocks.end(),
                                            [&](const Block& nested) { return any_inst(nested, matches); });
    });
}

/// Calls `visit` with each local that is used: operands of instructions and results of blocks.
template <class Blocks, class Visit>
void for_each_use(Blocks& block, const Visit& visit) {
    for (auto& inst : block.insts) {
        std::for_each(inst.operands.begin(), inst.operands.end(), visit);
        for (auto& nested : inst.blocks) for_each_use(nested, visit);
    }
    std::for_each(block.results.begin(), block.results.end(), visit);
}

/// The number of locals in scope at the end of a block that starts at `level`.
inline std::size_t level_behind(const Block& block, std::size_t level) {
    level += block.params.size();
    for (const Inst& inst : block.insts) level += inst.types.size();
    return level;
}

}  // namespace sinter::ir
