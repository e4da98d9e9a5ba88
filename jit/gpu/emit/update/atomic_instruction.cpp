// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/update/atomic_instruction.hpp"

#include "support/check.hpp"

namespace sinter::gpu {

using ir::Op;
using llvm::AtomicRMWInst;

AtomicRMWInst::BinOp atomic_instruction(Op op, lower::Scalar type) {
    const bool is_signed = detail::is_signed_integer(type);
    switch (op) {
        case Op::add:
            return AtomicRMWInst::Add;
        case Op::minimum:
            return is_signed ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
        case Op::maximum:
            return is_signed ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
        case Op::bit_and:
            return AtomicRMWInst::And;
        case Op::bit_or:
            return AtomicRMWInst::Or;
        case Op::bit_xor:
            return AtomicRMWInst::Xor;
        default:
            fail_check("no atomic instruction does this", location::current());
    }
}

}  // namespace sinter::gpu
