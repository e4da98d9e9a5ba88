// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interp/function.hpp"

#include "ir/evaluate.hpp"
#include "support/check.hpp"
#include "support/text/debug_output.hpp"

namespace sinter::interp {

std::int64_t offset_of(std::span<const std::int64_t> index, std::span<const std::int64_t> shape) {
    check(index.size() == shape.size(), "one index per axis");
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (index[axis] < 0 || index[axis] >= shape[axis])
            throw Failure{Failure::Kind::index, index[axis], shape[axis], axis};
        offset = offset * shape[axis] + index[axis];
    }
    return offset;
}

void FunctionMachine::execute_special(const ir::Inst& inst) {
    if (inst.op == ir::Op::extent) {
        auto extent = arrays_[ir::extent_of(inst).slot]->shape[ir::extent_of(inst).axis];
        return push(Scalar::i64, static_cast<std::uint64_t>(extent));
    }
    if (inst.op == ir::Op::segment_end) return segment_end(inst);
    if (inst.op == ir::Op::check_index) return check_index(inst);
    if (inst.op == ir::Op::expect) return expect(inst);
    if (inst.op == ir::Op::debug_print) return debug_print(inst);
    check(inst.op == ir::Op::read, "math operations are expanded before execution");
    const ArrayValue& array = *arrays_[inst.bits];
    index_.clear();
    for (std::size_t k = 0; k < inst.operands.size(); ++k) index_.push_back(index_operand(inst, k));
    push(inst.type(), array[offset_of(index_, array.shape)]);
}

void FunctionMachine::segment_end(const ir::Inst& inst) {
    const std::int64_t start = index_operand(inst, 0), length = index_operand(inst, 1), number = index_operand(inst, 2);
    std::int64_t end = 0;
    if (length < 0) throw Failure{Failure::Kind::length, number};
    if (__builtin_add_overflow(start, length, &end) || end < 0) throw Failure{Failure::Kind::total, number};
    push(Scalar::i64, static_cast<std::uint64_t>(end));
}

void FunctionMachine::check_index(const ir::Inst& inst) {
    const std::int64_t index = index_operand(inst, 0), extent = index_operand(inst, 1);
    if (index < 0 || index >= extent)
        throw Failure{Failure::Kind::index, index, extent, static_cast<std::size_t>(inst.bits)};
    push(Scalar::i64, static_cast<std::uint64_t>(index));
}

void FunctionMachine::expect(const ir::Inst& inst) {
    if (operand(inst, 0) == 0) throw Failure{Failure::Kind::expect, index_operand(inst, 1), 0, 0, inst.bits};
    push(Scalar::boolean, 1);
}

void FunctionMachine::debug_print(const ir::Inst& inst) {
    DebugLine line{inst.bits, index_operand(inst, 0)};
    for (std::size_t k = 1; k < inst.operands.size(); ++k) {
        const Scalar type = operand_type(inst, k);
        const Scalar wide = detail::is_float(type) ? Scalar::f64 : Scalar::i64;
        const std::uint64_t value = operand(inst, k);
        line.types.push_back(type);
        line.values.push_back(ir::evaluate(ir::Op::cast, wide, {&type, 1}, {&value, 1}));
    }
    DebugPlace{}.add(std::move(line));
    push(Scalar::boolean, 1);
}

void FunctionMachine::divided_by_zero(const ir::Inst&) { throw Failure{Failure::Kind::divisor}; }

}  // namespace sinter::interp
