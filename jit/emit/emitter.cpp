// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/emitter.hpp"

#include "jit/emit/loop/compact.hpp"
#include "jit/emit/loop/reduce.hpp"
#include "jit/emit/loop/scan.hpp"

namespace sinter::emit {

using ir::Op;

Emitter::Emitter(Code& code, const lower::Kernel& kernel, llvm::Value* arguments, llvm::Value* tile)
    : Blocks(code, kernel),
      fields(code, arguments, tile),
      addresses(code, kernel, fields),
      memory(code, kernel, fields, addresses),
      arithmetic(code),
      rows(*this),
      lanes(*this, arithmetic, chunked),
      checks_(code, fields, addresses),
      prints_(code, fields),
      branches_(*this),
      sequential_(*this, memory, rows, lanes),
      updates_(*this, memory, addresses) {}

void Emitter::follow(const schedule::Schedule& schedule) {
    Blocks::follow(*schedule.control);
    lanes.schedule(schedule.loops, *schedule.sides);
    memory.parts_of_lines_past_caches(schedule.parts_of_lines);
    sequential_.check_before();
    if (const auto* points = std::get_if<schedule::Points>(&schedule.way)) sequential_.fetch_ahead(points->ahead);
}

Values Emitter::instruction(const Inst& inst) {
    if (special)
        if (auto results = special->emit(inst)) return *results;
    switch (inst.op) {
        case Op::constant:
            return {arithmetic.constant(inst)};
        case Op::size:
            return {Value::index(fields.size(inst.bits))};
        case Op::load:
            return {memory.load(inst, scope.operand(inst, 0))};
        case Op::store:
            return memory.store(inst, scope.operand(inst, 0), scope.operand(inst, 1)), Values{};
        case Op::check_index:
            return {checks_.index(inst, scope.operand(inst, 0), scope.operand(inst, 1))};
        case Op::check_divisor:
            return {checks_.divisor(inst, scope.operand(inst, 0))};
        case Op::expect:
            return {checks_.expectation(inst, scope.operands(inst))};
        case Op::print:
            return {prints_.emit(inst, scope.operands(inst))};
        case Op::cond:
            return branches_.emit(inst);
        case Op::while_loop:
            return sequential_.while_loop(inst);
        case Op::for_loop:
            if (const TileLoop* loop = in_tile.find(inst, code.lanes)) return emit_tiled(*this, *loop);
            return sequential_.for_loop(inst);
        case Op::reduce:
            return emit_reduce(*this, inst);
        case Op::for_each:
            return emit_for_each(*this, inst), Values{};
        case Op::scan:
            return emit_scan(*this, inst);
        case Op::compact:
            return emit_compact(*this, inst);
        case Op::update:
            return updates_.emit(inst), Values{};
        default:
            return {arithmetic.pure(inst, scope.operands(inst))};
    }
}

}  // namespace sinter::emit
