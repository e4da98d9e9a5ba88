// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/locals.hpp"
#include "ir/walk.hpp"

#include <algorithm>

namespace sinter::lower {

using ir::Op;

void shift(Block& b, std::size_t from, std::ptrdiff_t by) {
    ir::for_each_use(b, [&](Local& l) {
        if (l.index >= from) l = Local(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(l.index) + by));
    });
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
