// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/update/bins.hpp"

#include "jit/gpu/emit/update/atomic_instruction.hpp"

namespace sinter::gpu {

Bins::Bins(emit::Code& code, emit::Emitter& emitter, Builtins& builtins, Team& team, const CapturedUpdate& captured,
           llvm::Value* bins, llvm::Value* copies, bool counted)
    : c_(code),
      ir(code.ir),
      e_(emitter),
      builtins_(builtins),
      team_(team),
      captured_(captured),
      op_(code, emitter, captured.fold),
      bins_(bins),
      copies_(copies),
      copy_(ir.CreateAnd(team.warp(), ir.CreateSub(copies, code.i64(1)))),
      counted_(counted),
      values_(captured.fold.types.size()),
      kept_(values_ + (captured.has_neutral ? 0 : 1)) {
    if (counted_) return;
    noted_ = c_.slot(ir.getInt1Ty());
    noted_bin_ = c_.slot(ir.getInt32Ty());
    for (lower::Scalar type : captured.fold.types) noted_values_.push_back(c_.slot(c_.type(type)));
}

void Bins::update(emit::Emitter& emitter, const lower::Inst& inst) {
    llvm::Value* bin = emitter.scope.operand(inst, 0).scalars[0];
    if (counted_) return add(slot(0, copy_, bin), emitter.scope.operand(inst, 1).scalars[0]);
    ir.CreateStore(ir.getTrue(), noted_);
    ir.CreateStore(ir.CreateTrunc(bin, ir.getInt32Ty()), noted_bin_);
    for (std::size_t k = 0; k < values_; ++k)
        ir.CreateStore(emitter.scope.operand(inst, k + 1).scalars[0], noted_values_[k]);
}

void Bins::add(llvm::Value* pointer, llvm::Value* value) {
    const auto instruction = atomic_instruction(*captured_.fact.atomic, captured_.fold.types[0]);
    ir.CreateAtomicRMW(instruction, pointer, value, {}, relaxed);
}

// ---- copies: [value][copy][bin] ----

llvm::Type* Bins::kept_type(std::size_t k) { return k < values_ ? c_.memory_type(captured_.fold.types[k]) : ir.getInt8Ty(); }

llvm::Value* Bins::slot(std::size_t k, llvm::Value* copy, llvm::Value* bin) {
    std::int64_t before = 0;
    for (std::size_t v = 0; v < k; ++v) before += detail::size_of(captured_.fold.types[v]);
    llvm::Value* memory = builtins_.shared(static_cast<std::size_t>(card::tuning::copies_bytes));
    llvm::Value* all = ir.CreateMul(copies_, bins_);
    llvm::Value* array = ir.CreateInBoundsGEP(ir.getInt8Ty(), memory, ir.CreateMul(all, c_.i64(before)));
    return ir.CreateInBoundsGEP(kept_type(k), array, ir.CreateAdd(ir.CreateMul(copy, bins_), bin));
}

Few Bins::load(llvm::function_ref<llvm::Value*(std::size_t)> pointer) {
    Few result;
    for (std::size_t k = 0; k < kept_; ++k) {
        llvm::Value* v = ir.CreateLoad(kept_type(k), pointer(k));
        const bool boolean = k == values_ || captured_.fold.types[k] == lower::Scalar::boolean;
        result.push_back(boolean ? ir.CreateIsNotNull(v) : v);
    }
    return result;
}

void Bins::store(const Few& values, llvm::function_ref<llvm::Value*(std::size_t)> pointer) {
    for (std::size_t k = 0; k < kept_; ++k) {
        llvm::Value* v = values[k];
        if (v->getType()->isIntegerTy(1)) v = ir.CreateZExt(v, ir.getInt8Ty());
        ir.CreateStore(v, pointer(k));
    }
}

void Bins::each_bin(llvm::function_ref<void(llvm::Value*)> body) {
    Few none;
    c_.loop(team_.rank(), bins_, team_.threads(), none, body);
}

void Bins::clear() {
    const Few absent = op_.absent();
    Few none;
    c_.loop(team_.rank(), ir.CreateMul(copies_, bins_), team_.threads(), none,
            [&](llvm::Value* i) { store(absent, [&](std::size_t k) { return slot(k, c_.i64(0), i); }); });
    builtins_.barrier();
}

Few Bins::all_copies(llvm::Value* bin) {
    auto copy = [&](llvm::Value* n) { return load([&](std::size_t k) { return slot(k, n, bin); }); };
    Few total = copy(c_.i64(0));
    c_.loop(c_.i64(1), copies_, 1, total, [&](llvm::Value* n) { total = op_.merge(total, copy(n)); });
    return total;
}

// ---- notes ----

void Bins::forget_note() {
    if (!counted_) ir.CreateStore(ir.getFalse(), noted_);
}

void Bins::apply_note() {
    if (counted_) return;
    llvm::Value* noted = ir.CreateLoad(ir.getInt1Ty(), noted_);
    llvm::Value* bin = ir.CreateSelect(noted, ir.CreateLoad(ir.getInt32Ty(), noted_bin_), ir.getInt32(~0u));
    Values values;
    for (std::size_t k = 0; k < values_; ++k) {
        const lower::Scalar type = captured_.fold.types[k];
        values.push_back(emit::Value::uniform(type, ir.CreateLoad(c_.type(type), noted_values_[k])));
    }
    llvm::Value* peers = builtins_.peers(bin);
    const Few all = combine_peers(op_.present(values), peers);
    Few none;
    c_.when(ir.CreateAnd(noted, ir.CreateICmpEQ(first_of(peers), team_.lane())), none, [&] {
        auto pointer = [&](std::size_t k) { return slot(k, copy_, ir.CreateZExt(bin, ir.getInt64Ty())); };
        store(op_.merge(load(pointer), all), pointer);
    });
    builtins_.warp_barrier();
}

/// The values of all lanes of `peers` combined in order, in the first of them: every other lane takes in the next one's.
Few Bins::combine_peers(Few values, llvm::Value* peers) {
    auto is_several = [&](llvm::Value* lanes) {
        return ir.CreateZExt(ir.CreateICmpUGT(count(lanes), ir.getInt32(1)), ir.getInt32Ty());
    };
    values.push_back(peers);
    c_.loop_from_top(
        values, [&] { return ir.CreateIsNotNull(builtins_.ballot(is_several(values.back()))); },
        [&] {
            llvm::Value* left = values.pop_back_val();
            llvm::Value* above = ir.CreateAnd(left, ir.CreateNot(lanes_through()));
            llvm::Value* is_odd = ir.CreateAnd(count(ir.CreateAnd(left, lanes_below())), ir.getInt32(1));
            llvm::Value* takes = ir.CreateAnd(ir.CreateIsNotNull(above), ir.CreateIsNull(is_odd));
            llvm::Value* from = ir.CreateSelect(takes, first_of(above), team_.lane());
            Few next;
            for (llvm::Value* v : values) next.push_back(builtins_.from_lane(v, from));
            values = c_.either(takes, [&] { return op_.merge(values, next); }, [&] { return values; });
            values.push_back(ir.CreateAnd(left, ir.CreateNot(builtins_.ballot(is_odd))));
        });
    values.pop_back();
    return values;
}

// ---- results ----

void Bins::store_partials(llvm::ArrayRef<llvm::Value*> arrays, llvm::Value* chunk) {
    builtins_.barrier();
    each_bin([&](llvm::Value* bin) {
        llvm::Value* at = ir.CreateAdd(ir.CreateMul(chunk, bins_), bin);
        store(all_copies(bin), [&](std::size_t k) { return ir.CreateInBoundsGEP(kept_type(k), arrays[k], at); });
    });
    builtins_.barrier();
}

void Bins::add_to_destinations() {
    builtins_.barrier();
    const Few absent = op_.absent();
    each_bin([&](llvm::Value* bin) {
        llvm::Value* total = all_copies(bin)[0];
        Few none;
        c_.when(ir.CreateICmpNE(total, absent[0]), none, [&] { add(e_.addresses.element(captured_.buffer, bin), total); });
    });
}

void Bins::merge(llvm::ArrayRef<llvm::Value*> arrays, llvm::Value* chunks, llvm::Value* bin) {
    Few total = op_.absent();
    c_.loop(team_.rank(), chunks, team_.threads(), total, [&](llvm::Value* chunk) {
        llvm::Value* at = ir.CreateAdd(ir.CreateMul(chunk, bins_), bin);
        const Few part = load([&](std::size_t k) { return ir.CreateInBoundsGEP(kept_type(k), arrays[k], at); });
        total = op_.merge(total, part);
    });
    total = team_.reduce(total, [&](const Few& a, const Few& b) { return op_.merge(a, b); });
    Few none;
    c_.when(team_.is_first(), none, [&] {
        Values old;
        for (std::size_t k = 0; k < values_; ++k) old.push_back(e_.memory.load_element(captured_.buffer + k, bin));
        const Few all = op_.merge(op_.present(old), total);
        for (std::size_t k = 0; k < values_; ++k) e_.memory.store_element(captured_.buffer + k, bin, all[k]);
    });
}

}  // namespace sinter::gpu
