// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/update/notes.hpp"

namespace sinter::gpu {

llvm::Value* Notes::value(std::size_t k, llvm::Value* point) {
    return ir.CreateInBoundsGEP(c_.memory_type(captured_.fold.types[k]), arrays_[note_array::values + k], point);
}

void Notes::begin(llvm::Value* point) { ir.CreateStore(ir.getInt32(none), word(note_array::destinations, point)); }

void Notes::update(emit::Emitter& emitter, const lower::Inst& inst, llvm::Value* point) {
    llvm::Value* destination = ir.CreateTrunc(emitter.scope.operand(inst, 0).scalars[0], ir.getInt32Ty());
    ir.CreateStore(destination, word(note_array::destinations, point));
    for (std::size_t k = 0; k < captured_.fold.types.size(); ++k) {
        llvm::Value* v = emitter.scope.operand(inst, k + 1).scalars[0];
        if (v->getType()->isIntegerTy(1)) v = ir.CreateZExt(v, ir.getInt8Ty());
        ir.CreateStore(v, value(k, point));
    }
}

Values Notes::load(llvm::Value* point) {
    Values result;
    for (std::size_t k = 0; k < captured_.fold.types.size(); ++k) {
        const lower::Scalar type = captured_.fold.types[k];
        llvm::Value* v = ir.CreateLoad(c_.memory_type(type), value(k, point));
        result.push_back(emit::Value::uniform(type, type == lower::Scalar::boolean ? ir.CreateIsNotNull(v) : v));
    }
    return result;
}

void Notes::apply(llvm::Value* place) {
    llvm::Value* destination = load_word(note_array::sorted, place);
    llvm::Value* is_first = c_.either(
        ir.CreateIsNull(place), [&] { return Few{ir.getTrue()}; },
        [&] {
            llvm::Value* before = load_word(note_array::sorted, ir.CreateSub(place, c_.i64(1)));
            return Few{ir.CreateICmpNE(before, destination)};
        })[0];
    Few none_carried;
    c_.when(ir.CreateAnd(is_first, ir.CreateICmpNE(destination, ir.getInt32(none))), none_carried, [&] {
        llvm::Value* at = ir.CreateZExt(destination, ir.getInt64Ty());
        emit::Combiner& op = op_.combiner();
        Values old;
        for (std::size_t k = 0; k < captured_.fold.types.size(); ++k)
            old.push_back(e_.memory.load_element(captured_.buffer + k, at));
        Few state = op.pack(old);
        state.push_back(place);
        c_.loop_while(state, [&] {
            llvm::Value* i = state.pop_back_val();
            llvm::Value* point = ir.CreateZExt(load_word(note_array::order, i), ir.getInt64Ty());
            state = op.pack(op.combine(op.unpack(state, 1), load(point)));
            llvm::Value* next = ir.CreateAdd(i, c_.i64(1));
            state.push_back(next);
            return c_.either(
                ir.CreateICmpSLT(next, points_),
                [&] { return Few{ir.CreateICmpEQ(load_word(note_array::sorted, next), destination)}; },
                [&] { return Few{ir.getFalse()}; })[0];
        });
        for (std::size_t k = 0; k < captured_.fold.types.size(); ++k)
            e_.memory.store_element(captured_.buffer + k, at, state[k]);
    });
}

}  // namespace sinter::gpu
