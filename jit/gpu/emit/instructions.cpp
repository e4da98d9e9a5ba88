// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/instructions.hpp"

#include "jit/gpu/emit/checks.hpp"
#include "jit/gpu/emit/remainder.hpp"
#include "jit/gpu/emit/team/team_compact.hpp"
#include "jit/gpu/emit/team/team_reduce.hpp"
#include "jit/gpu/emit/team/team_scan.hpp"
#include "jit/gpu/emit/update/bins.hpp"
#include "jit/gpu/emit/update/element_update.hpp"
#include "jit/gpu/emit/update/notes.hpp"

namespace sinter::gpu {

using ir::Op;

std::optional<Values> Instructions::emit(const Inst& inst) {
    switch (inst.op) {
        case Op::check_index:
            return Values{emit_check_index(point_, inst)};
        case Op::check_divisor:
            return Values{emit_check_divisor(point_, inst)};
        case Op::expect:
            return Values{emit_expect(point_, inst)};
        case Op::store:
            return store(inst), Values{};
        case Op::update:
            return update(inst), Values{};
        case Op::rem:
            return remainder(inst);
        case Op::reduce:
        case Op::scan:
        case Op::compact:
        case Op::for_each:
            return is_shared(inst) ? shared_loop(inst) : std::nullopt;
        default:
            return std::nullopt;
    }
}

std::optional<Values> Instructions::shared_loop(const Inst& loop) {
    if (loop.op == Op::reduce) return TeamReduce(point_, loop).emit();
    if (loop.op == Op::scan) return TeamScan(point_, loop).emit();
    if (loop.op == Op::compact) return TeamCompact(point_, loop).emit();
    emit_for_each(point_, loop);
    return Values{};
}

void Instructions::store(const Inst& inst) {
    emit::Emitter& e = point_.emitter;
    auto store = [&] {
        if (const card::Meeting* meeting = point_.schedule.scatters->find(inst)) return scattered.store(*meeting);
        e.memory.store_element(inst.bits, e.scope.operand(inst, 0).scalars[0], e.scope.operand(inst, 1).scalars[0]);
    };
    point_.is_same_in_team() ? point_.by_first(store) : store();
}

void Instructions::update(const Inst& inst) {
    if (bins) return bins->update(point_.emitter, inst);
    if (notes) return notes->update(point_.emitter, inst, point_.number);
    auto update = [&] { emit_element_update(point_, inst); };
    point_.is_same_in_team() ? point_.by_first(update) : update();
}

std::optional<Values> Instructions::remainder(const Inst& inst) {
    if (!detail::is_float(inst.type())) return std::nullopt;
    llvm::Value *x = point_.emitter.scope.operand(inst, 0).scalars[0], *y = point_.emitter.scope.operand(inst, 1).scalars[0];
    return Values{Value::uniform(inst.type(), emit_remainder(point_.code, x, y))};
}

}  // namespace sinter::gpu
