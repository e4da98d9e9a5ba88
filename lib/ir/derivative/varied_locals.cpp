// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/derivative/varied_locals.hpp"

#include "ir/walk.hpp"

#include <algorithm>

namespace sinter::ir::derivative {

bool VariedLocals::reaches(const Inst& inst) const {
    auto reads = [this](const Inst& each) { return each.op == Op::read && slots_[each.bits]; };
    if (inst.op == Op::read) return reads(inst);
    if (std::any_of(inst.operands.begin(), inst.operands.end(), *this)) return true;
    bool found = false;
    for (const Block& block : inst.blocks) {
        for_each_use(block, [&](Local local) { found = found || (*this)(local); });
        found = found || any_inst(block, reads);
    }
    return found;
}

void VariedLocals::define(const Inst& inst) {
    const bool varied = reaches(inst);
    for (Scalar type : inst.types) push(varied && detail::is_float(type));
}

}  // namespace sinter::ir::derivative
