// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans, element after element.
#include "jit/emit/reduce.hpp"

namespace sinter::emit {

Values Reduction::scan() {
    const bool exclusive = inst_.bits >> 8, seeded = inst_.operands.size() > 1;
    const std::vector<Pattern> states = state_patterns(e_.kernel_, inst_, e_.patterns()).states;
    Values like;
    if (seeded)
        like = as(init(), states);
    else
        like = as(nothing(), states);
    Few carried = pack(like);
    auto one = [&](llvm::Value* i, bool first) {
        Values params{e_.index(i)};
        const Values element = e_.block(inst_.blocks[0], params);
        const Values before = unpack_like(like, carried);
        const Values after = as(first ? element : combine(before, element), states);
        const Values& shown = exclusive ? before : after;
        params.append(shown.begin(), shown.end());
        e_.block(inst_.blocks[2], params);
        carried = pack(after);
    };
    llvm::Value* n = extent(0);
    if (!seeded) c_.when(ir.CreateICmpSGT(n, c_.i64(0)), carried, [&] { one(c_.i64(0), true); });
    c_.loop(c_.i64(seeded ? 0 : 1), n, 1, carried, [&](llvm::Value* i) { one(i, false); });
    return unpack_like(like, carried);
}

Values Emitter::scan(const Inst& inst) { return Reduction(*this, inst).scan(); }

}  // namespace sinter::emit
