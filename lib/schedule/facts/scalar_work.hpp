// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What lanes share inside of loops: scalar instructions beside those on vectors.
#pragma once

#include "lower/kernel.hpp"
#include "schedule/tuning.hpp"

namespace sinter::schedule {

/// The scalar instructions that an operation takes; none if it is a sum or product of indices, which becomes an address or
/// moves on from iteration to iteration. `by_number`: its last operand is a known number.
inline double scalar_instructions(const lower::Inst& inst, bool by_number) {
    using ir::Op;
    switch (inst.op) {
        case Op::add:
        case Op::sub:
        case Op::mul:
        case Op::negate:
            return inst.type() == ir::Scalar::i64 ? 0 : 1;
        case Op::div:
        case Op::rem:
            return by_number ? tuning::division_by_number : tuning::division_by_variable;
        case Op::sqrt:
            return tuning::division_by_variable;
        default:
            return 1;
    }
}

}  // namespace sinter::schedule
