// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/locals.hpp"

#include <algorithm>

namespace sinter::lower {

using ir::Op;

std::size_t level_behind(const Block& b, std::size_t level) {
    level += b.params.size();
    for (const Inst& inst : b.insts) level += inst.types.size();
    return level;
}

void shift(Block& b, std::size_t from, std::ptrdiff_t by) {
    auto move = [&](Local& l) {
        if (l.index >= from) l = Local(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(l.index) + by));
    };
    for (Inst& inst : b.insts) {
        std::for_each(inst.operands.begin(), inst.operands.end(), move);
        for (Block& inner : inst.blocks) shift(inner, from, by);
    }
    std::for_each(b.results.begin(), b.results.end(), move);
}

bool stands_alone(const Block& b, std::size_t level) {
    auto own = [&](Local l) { return l.index >= level; };
    for (const Inst& inst : b.insts) {
        const ir::Traits traits = ir::info(inst.op).traits;
        const bool memory = traits == ir::Traits::memory || traits == ir::Traits::effect;
        if (memory || inst.op == Op::size || inst.op == Op::check_index) return false;
        if (!std::all_of(inst.operands.begin(), inst.operands.end(), own)) return false;
        for (const Block& inner : inst.blocks)
            if (!stands_alone(inner, level)) return false;
    }
    return std::all_of(b.results.begin(), b.results.end(), own);
}

}  // namespace sinter::lower
