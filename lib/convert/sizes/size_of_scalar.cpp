// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/sizes/size_of_scalar.hpp"

#include <optional>
#include <vector>

namespace sinter::convert {

namespace {

using ir::Op;

/// A quotient of a >= 0 by a constant c > 0, rounded down: (a - (c - 1)) / c, rounded up.
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

/// The sizes of a function's instructions as they are added. A literal divisor is a constant, as in functions (lift.hpp).
class Locals {
  public:
    Locals(const ScalarSizes& sizes, Equalities& equalities) : sizes_(sizes), equalities_(equalities) {}

    void push(SizeId size) { known_.push_back({size, {}}); }
    void push(const ir::Inst& inst) {
        known_.push_back({size_of(inst), {}});
        if (inst.op == Op::constant) known_.back().literal = static_cast<std::int64_t>(inst.bits);
        for (std::size_t k = 1; k < inst.types.size(); ++k) push(SizeId());
    }
    SizeId operator[](ir::Local local) const { return known_[local.index].size; }

  private:
    struct Known {
        SizeId size;
        std::optional<std::int64_t> literal;
    };

    SizeId size_of(const ir::Inst& inst) const;
    SizeId divisor(ir::Local local) const {
        const Known& known = known_[local.index];
        return known.literal ? equalities_.table.constant(*known.literal) : known.size;
    }

    const ScalarSizes& sizes_;
    Equalities& equalities_;
    std::vector<Known> known_;
};

SizeId Locals::size_of(const ir::Inst& inst) const {
    if (inst.types.size() != 1 || inst.type() != ir::Scalar::i64) return {};
    if (inst.op == Op::constant) return sizes_.constant(static_cast<std::int64_t>(inst.bits));
    if (inst.op == Op::extent) return sizes_.extent(ir::extent_of(inst).slot, ir::extent_of(inst).axis);
    if (inst.operands.size() != 2) return {};
    const SizeId a = (*this)[inst.operands[0]];
    const SizeId b = inst.op == Op::div ? divisor(inst.operands[1]) : (*this)[inst.operands[1]];
    return a.valid() && b.valid() ? combine(inst.op, a, b, equalities_) : SizeId();
}

}  // namespace

SizeId size_of_scalar(const ir::Fn& fn, std::size_t result, const ScalarSizes& sizes, Equalities& equalities) {
    Locals locals(sizes, equalities);
    for (std::size_t k = 0; k < fn.body.params.size(); ++k)
        locals.push(fn.body.params[k] == ir::Scalar::i64 ? sizes.param(k) : SizeId());
    for (const ir::Inst& inst : fn.body.insts) locals.push(inst);
    return locals[fn.body.results[result]];
}

}  // namespace sinter::convert
