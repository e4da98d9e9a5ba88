// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opt/cost.hpp"

#include <algorithm>

namespace sinter::opt {

using namespace ir;

bool is_expensive(Op op, Scalar type) {
    if (info(op).traits == Traits::math || op == Op::sqrt) return true;
    return (op == Op::div || op == Op::rem) && detail::is_float(type);
}

bool is_expensive(const Block& block) {
    return std::any_of(block.insts.begin(), block.insts.end(), [](const Inst& inst) {
        if (inst.op == Op::while_loop || inst.op == Op::for_loop) return true;
        if (!inst.types.empty() && is_expensive(inst.op, inst.type())) return true;
        return std::any_of(inst.blocks.begin(), inst.blocks.end(), [](const Block& nested) { return is_expensive(nested); });
    });
}

bool is_speculative(const Block& block) {
    return std::all_of(block.insts.begin(), block.insts.end(), [](const Inst& inst) {
        if (inst.op == Op::while_loop || inst.types.empty() || may_fail(inst.op, inst.type())) return false;
        return std::all_of(inst.blocks.begin(), inst.blocks.end(),
                           [](const Block& nested) { return is_speculative(nested); });
    });
}

}  // namespace sinter::opt
