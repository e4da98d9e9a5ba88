// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/loops/expanded.hpp"

#include "ad/tuning.hpp"
#include "ir/derivative/loop_jacobian.hpp"

#include <algorithm>

namespace sinter::ad {

using namespace ir;
using namespace ir::derivative;

bool is_expanded(const Inst& inst, VariedLocals& varied) {
    if (inst.op == Op::for_loop || inst.op == Op::while_loop)
        return varied.reaches(inst) && !can_carry_jacobian(inst, varied, most_loop_inputs);
    return std::any_of(inst.blocks.begin(), inst.blocks.end(),
                       [&](const Block& block) { return contains_expanded(block, varied); });
}

bool contains_expanded(const Block& block, VariedLocals& varied) {
    const std::size_t level = varied.level();
    bool found = false;
    for (const Inst& inst : block.insts) {
        found = found || is_expanded(inst, varied);
        varied.define(inst);
    }
    varied.forget(level);
    return found;
}

void define_params(const Inst& control, const Block& block, VariedLocals& varied) {
    const std::size_t indices = control.op == Op::for_loop ? 1 : 0;
    for (std::size_t k = 0; k < block.params.size(); ++k) varied.push(k >= indices && detail::is_float(block.params[k]));
}

}  // namespace sinter::ad
