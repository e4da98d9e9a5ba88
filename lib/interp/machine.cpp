// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interp/machine.hpp"

#include "ir/evaluate.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <array>

namespace sinter::interp {

using ir::Inst;
using ir::Op;

void Machine::call(const ir::Block& block, std::span<const std::uint64_t> arguments, std::vector<std::uint64_t>& results) {
    check(arguments.size() == block.params.size(), "block called with the wrong number of parameters");
    const std::size_t base = depth_;
    for (std::size_t k = 0; k < arguments.size(); ++k) push(block.params[k], arguments[k]);
    for (const Inst& inst : block.insts) execute(inst);
    results.clear();
    for (ir::Local local : block.results) results.push_back(values_[local.index].bits);
    depth_ = base;
}

std::vector<std::uint64_t> Machine::operands_from(const Inst& inst, std::size_t first) const {
    std::vector<std::uint64_t> values;
    for (std::size_t k = first; k < inst.operands.size(); ++k) values.push_back(operand(inst, k));
    return values;
}

void Machine::push_all(const Inst& inst, std::span<const std::uint64_t> values) {
    check(values.size() == inst.types.size(), "wrong number of results");
    for (std::size_t k = 0; k < values.size(); ++k) push(inst.types[k], values[k]);
}

void Machine::execute(const Inst& inst) {
    switch (inst.op) {
        case Op::constant:
            return push(inst.type(), inst.bits);
        case Op::cond:
            return execute_cond(inst);
        case Op::while_loop:
            return execute_while(inst);
        case Op::for_loop:
            return execute_for(inst);
        default:
            return ir::can_evaluate(inst.op) ? execute_pure(inst) : execute_special(inst);
    }
}

void Machine::execute_pure(const Inst& inst) {
    std::array<std::uint64_t, 3> values;
    std::array<Scalar, 3> types;
    const std::size_t count = inst.operands.size();
    check(count <= 3, "at most three operands");
    for (std::size_t k = 0; k < count; ++k) {
        values[k] = operand(inst, k);
        types[k] = operand_type(inst, k);
    }
    if ((inst.op == Op::div || inst.op == Op::rem) && values[1] == 0 && !detail::is_float(types[1])) divided_by_zero(inst);
    push(inst.type(), ir::evaluate(inst.op, inst.type(), std::span(types.data(), count), std::span(values.data(), count)));
}

void Machine::execute_cond(const Inst& inst) {
    std::vector<std::uint64_t> results;
    call(inst.blocks[operand(inst, 0) != 0 ? 0 : 1], {}, results);
    push_all(inst, results);
}

void Machine::execute_while(const Inst& inst) {
    std::vector<std::uint64_t> states = operands_from(inst, 0), results;
    for (;;) {
        call(inst.blocks[0], states, results);
        if (results[0] == 0) break;
        call(inst.blocks[1], states, results);
        states.swap(results);
    }
    push_all(inst, states);
}

void Machine::execute_for(const Inst& inst) {
    std::vector<std::uint64_t> arguments = operands_from(inst, 0), results;
    std::int64_t count = index_operand(inst, 0);
    for (std::int64_t i = 0; i < count; ++i) {  // arguments: the index, then the states
        arguments[0] = static_cast<std::uint64_t>(i);
        call(inst.blocks[0], arguments, results);
        std::copy(results.begin(), results.end(), arguments.begin() + 1);
    }
    push_all(inst, std::span(arguments).subspan(1));
}

}  // namespace sinter::interp
