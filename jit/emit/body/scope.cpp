// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/body/scope.hpp"

namespace sinter::emit {

Operands Scope::operands(const Inst& inst) const {
    Operands result;
    for (ir::Local local : inst.operands) result.push_back(&(*this)[local]);
    return result;
}

void Scope::repeat_in_columns(Code& code, int columns) {
    for (Value& v : values_) {
        if (v.is_affine()) v.part_stride = code.i64(0);
        if (v.is_varying()) v.parts = Few(static_cast<std::size_t>(columns), v.parts[0]);
    }
}

}  // namespace sinter::emit
