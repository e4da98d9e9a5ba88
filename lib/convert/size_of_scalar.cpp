// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/size_of_scalar.hpp"

#include <vector>

namespace sinter::convert {

namespace {

using ir::Op;

/// A quotient of a >= 0 by a constant c > 0 rounds down: (a - (c - 1)) divided, rounding up.
SizeId quotient(SizeId a, SizeId c, Equalities& equalities) {
    ir::SizeTable& table = equalities.table;
    auto divisor = equalities.known(c);
    if (table[c].kind != Size::Kind::constant || *divisor <= 0 || !equalities.is_nonnegative(a)) return {};
    SizeId result = table.ceil_div(table.sub(a, table.constant(*divisor - 1)), c);
    equalities.set_nonnegative(result);
    return result;
}

SizeId combine(Op op, SizeId a, SizeId b, Equalities& equalities) {
    ir::SizeTable& table = equalities.table;
    switch (op) {
        case Op::add:
            return table.add(a, b);
        case Op::sub:
            return table.sub(a, b);
        case Op::mul:
            return table.mul(a, b);
        case Op::minimum:
            return table.minimum(a, b);
        case Op::maximum:
            return table.maximum(a, b);
        case Op::div:
            return quotient(a, b, equalities);
        default:
            return {};
    }
}

SizeId size_of(const ir::Inst& inst, const std::vector<SizeId>& locals, const ScalarSizes& sizes, Equalities& equalities) {
    if (inst.types.size() != 1 || inst.type() != ir::Scalar::i64) return {};
    if (inst.op == Op::constant) return sizes.constant(static_cast<std::int64_t>(inst.bits));
    if (inst.op == Op::extent) return sizes.extent(ir::extent_of(inst).slot, ir::extent_of(inst).axis);
    if (inst.operands.size() != 2) return {};
    SizeId a = locals[inst.operands[0].index], b = locals[inst.operands[1].index];
    return a.valid() && b.valid() ? combine(inst.op, a, b, equalities) : SizeId();
}

}  // namespace

SizeId size_of_scalar(const ir::Fn& fn, std::size_t result, const ScalarSizes& sizes, Equalities& equalities) {
    std::vector<SizeId> locals;
    for (std::size_t k = 0; k < fn.body.params.size(); ++k)
        locals.push_back(fn.body.params[k] == ir::Scalar::i64 ? sizes.param(k) : SizeId());
    for (const ir::Inst& inst : fn.body.insts) {
        SizeId size = size_of(inst, locals, sizes, equalities);
        locals.push_back(size);
        for (std::size_t k = 1; k < inst.types.size(); ++k) locals.emplace_back();
    }
    return locals[fn.body.results[result].index];
}

}  // namespace sinter::convert
