// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compaction. Every element is stored where the next one kept belongs; one that is not kept is overwritten. There is room:
// no more are kept than have been looked at.
#include "jit/emit/emitter.hpp"

namespace sinter::emit {

Values Emitter::compact(const Inst& inst) {
    Few carried{code_.i64(0)};
    code_.loop(code_.i64(0), operand(inst, 0).scalars[0], 1, carried, [&](llvm::Value* i) {
        const Values values = block(inst.blocks[0], {index(i)});
        for (std::size_t k = 1; k < values.size(); ++k) store_element(inst.bits + k - 1, carried[0], values[k].scalars[0]);
        carried[0] = ir.CreateAdd(carried[0], ir.CreateZExt(values[0].scalars[0], ir.getInt64Ty()));
    });
    return {index(carried[0])};
}

}  // namespace sinter::emit
