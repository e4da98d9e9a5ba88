// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/body/updates.hpp"

#include "jit/emit/loop/combiner.hpp"
#include "lower/loops.hpp"
#include "schedule/tuning.hpp"
#include "schedule/ways/shared_update.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace sinter::emit {

void Updates::emit(const Inst& inst) {
    if (code_.lanes.in_turn && is_shared(inst)) return shared(inst);
    if (code_.lanes.in_turn) return in_turn(inst);
    if (code_.lanes.vector()) return neighbours(inst);
    const Few offsets(inst.operands.size() - 1, scope_.operand(inst, 0).scalars[0]);
    Values right;
    for (std::size_t k = 1; k < inst.operands.size(); ++k) right.push_back(scope_.operand(inst, k));
    elements(inst, offsets, right);
}

/// Updates element offsets[k] of the k-th array with these right operands.
void Updates::elements(const Inst& inst, const Few& offsets, const Values& right) {
    Values params;
    for (std::size_t k = 0; k < offsets.size(); ++k) params.push_back(memory_.load_element(inst.bits + k, offsets[k]));
    params.insert(params.end(), right.begin(), right.end());
    const Values results = blocks_.block(inst.blocks[0], params);
    for (std::size_t k = 0; k < results.size(); ++k) memory_.store_element(inst.bits + k, offsets[k], results[k].scalars[0]);
}

/// True if all lanes update one element, and their values may be combined first.
bool Updates::is_shared(const Inst& inst) const {
    return code_.lanes.vector() && scope_.operand(inst, 0).is_uniform() &&
           schedule::combines_lanes(blocks_.kernel, inst, scope_.size());
}

Inst Updates::fold_of(const Inst& inst, const std::vector<Scalar>& types) {
    return {ir::Op::reduce, types, lower::reduce_bits(0, true), {}, {{}, inst.blocks[0]}};
}

/// Combines the lanes' values part by part, then lane by lane, and updates once. If the element is the same in the whole
/// kernel, what goes from lane to lane waits until its end; if it is the same in a loop, until the end of that.
void Updates::shared(const Inst& inst) {
    std::vector<Scalar> types;
    for (std::size_t k = 1; k < inst.operands.size(); ++k) types.push_back(scope_.operand(inst, k).type);
    const Inst fold = fold_of(inst, types);
    Combiner op(blocks_, fold);
    const Values nothing = op.nothing();
    auto part_of = [&](int p) {
        Values part;
        for (std::size_t k = 0; k < op.count(); ++k) {
            llvm::Value* v = code_.vector(scope_.operand(inst, k + 1), p);
            for (llvm::Value* updating : {code_.mask(p), code_.lanes.fresh})
                if (updating) v = ir.CreateSelect(updating, v, code_.vector(nothing[k], p));
            part.push_back(Value::varying(fold.types[k], {v}));
        }
        return part;
    };
    Values all = part_of(0);
    Lanes lanes;
    lanes.width = code_.lanes.width;
    lanes.open = true;
    for (int p = 1; p < code_.lanes.parts(); ++p) {
        const Values part = part_of(p);
        const WithLanes with(code_, lanes);
        all = op.combine(all, part);
    }
    const WithLanes with(code_, lanes);
    llvm::Value* offset = scope_.operand(inst, 0).scalars[0];
    const bool waits = (waiting_ || llvm::isa<llvm::Constant>(offset)) &&
                       std::find(types.begin(), types.end(), Scalar::boolean) == types.end();
    if (!waits) return across_lanes(inst, op, std::move(all), offset);
    const Kept& kept = this->kept(inst, op);
    ir.CreateStore(offset, kept.offset);
    Values before;
    for (std::size_t k = 0; k < op.count(); ++k)
        before.push_back(Value::varying(types[k], {ir.CreateLoad(code_.vector_of(code_.type(types[k])), kept.memory[k])}));
    all = op.combine(before, all);
    for (std::size_t k = 0; k < op.count(); ++k) ir.CreateStore(code_.vector(all[k], 0), kept.memory[k]);
}

/// What has been kept of the update in vectors of the open lanes.
Updates::Kept& Updates::kept(const Inst& inst, Combiner& op) {
    const int width = code_.lanes.width;
    const auto known =
        std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.inst == &inst && k.width == width; });
    if (known != kept_.end()) return *known;
    Kept made{&inst, scope_.size(), width, {}, code_.slot_of(llvm::cast<llvm::Constant>(code_.i64(0)))};
    for (llvm::Value* nothing : neutral_vectors(op))
        made.memory.push_back(code_.slot_of(llvm::cast<llvm::Constant>(nothing)));
    kept_.push_back(std::move(made));
    return kept_.back();
}

/// The neutral elements in all of the open lanes: constants.
Few Updates::neutral_vectors(Combiner& op) const {
    Few vectors;
    const auto lanes = llvm::ElementCount::getFixed(static_cast<unsigned>(code_.lanes.width));
    for (const Value& nothing : op.nothing())
        vectors.push_back(llvm::ConstantVector::getSplat(lanes, llvm::cast<llvm::Constant>(nothing.scalars[0])));
    return vectors;
}

void Updates::with_waiting(llvm::function_ref<void()> loop) {
    const std::size_t first = kept_.size();
    const bool outside = std::exchange(waiting_, true);
    loop();
    waiting_ = outside;
    finish_from(first);
}

/// The function may come here again: then nothing has been kept yet.
void Updates::finish_from(std::size_t first) {
    for (std::size_t next = first; next < kept_.size(); ++next) {
        const Kept& kept = kept_[next];
        const Inst& inst = *kept.inst;
        const Scope::Frame frame(scope_);
        scope_.add_unknown(kept.level - scope_.size());
        std::vector<Scalar> types;
        for (std::size_t k = 1; k < inst.operands.size(); ++k) types.push_back(addresses_.type(inst.bits + k - 1));
        const Inst fold = fold_of(inst, types);
        Combiner op(blocks_, fold);
        Lanes lanes;
        lanes.width = kept.width;
        lanes.open = true;
        const WithLanes with(code_, lanes);
        Values all;
        for (std::size_t k = 0; k < types.size(); ++k)
            all.push_back(Value::varying(types[k], {ir.CreateLoad(code_.vector_of(code_.type(types[k])), kept.memory[k])}));
        const Few nothing = neutral_vectors(op);
        for (std::size_t k = 0; k < types.size(); ++k) ir.CreateStore(nothing[k], kept.memory[k]);
        across_lanes(inst, op, std::move(all), ir.CreateLoad(ir.getInt64Ty(), kept.offset));
    }
    kept_.resize(first);
}

/// Combines the lanes of one vector, and updates once.
void Updates::across_lanes(const Inst& inst, Combiner& op, Values all, llvm::Value* offset) {
    Lanes lanes = code_.lanes;
    while (lanes.width > 1) {
        lanes.width /= 2;
        const WithLanes with(code_, lanes);
        Values low, high;
        for (const Value& v : all) low.push_back(op.lanes_of(v, 0, 1)), high.push_back(op.lanes_of(v, lanes.width, 1));
        all = op.combine(low, high);
    }
    const WithLanes with(code_, lanes);
    elements(inst, Few(op.count(), offset), all);
}

/// Values that differ between lanes go through memory, from which lane after lane takes its own: that is cheaper than moving
/// lanes out of vector registers.
void Updates::in_turn(const Inst& inst) {
    check(!code_.lanes.fresh, "lanes that are executed again update together");
    constexpr std::int64_t lanes_together = schedule::tuning::lanes_in_turn;
    const std::int64_t lanes = std::int64_t{code_.lanes.width} * code_.lanes.parts();
    const std::size_t arrays = inst.operands.size() - 1;
    llvm::SmallVector<Stored, 2> offsets;
    for (std::size_t k = 0; k < arrays; ++k) {
        const bool shared = k > 0 && !code_.lanes.masked();
        offsets.push_back(shared ? offsets[0] : offsets_in_memory(or_spare(inst.bits + k, scope_.operand(inst, 0))));
    }
    Values right;
    llvm::SmallVector<Stored, 2> right_memory;  // null if it is the same in all lanes
    for (std::size_t k = 1; k <= arrays; ++k) {
        right.push_back(scope_.operand(inst, k));
        right_memory.push_back(right.back().is_uniform() ? Stored{} : in_memory(right.back()));
    }
    Lanes one;
    one.open = true;
    const WithLanes with(code_, one);
    auto of_lane = [&](const Stored& stored, llvm::Value* lane) {
        return ir.CreateLoad(stored.element, ir.CreateInBoundsGEP(stored.element, stored.memory, lane));
    };
    auto update_lane = [&](llvm::Value* lane) {
        Few mine;
        for (std::size_t k = 0; k < arrays; ++k)
            mine.push_back(k > 0 && offsets[k].memory == offsets[0].memory
                               ? mine[0]
                               : ir.CreateSExt(of_lane(offsets[k], lane), ir.getInt64Ty()));
        for (std::size_t k = 0; k < arrays; ++k) {
            if (!right_memory[k].memory) continue;
            llvm::Value* v = of_lane(right_memory[k], lane);
            right[k] = Value::uniform(right[k].type, right[k].type == Scalar::boolean ? ir.CreateIsNotNull(v) : v);
        }
        elements(inst, mine, right);
    };
    Few none;
    const std::int64_t step = std::min(lanes, lanes_together);
    code_.loop(code_.i64(0), code_.i64(lanes), step, none, [&](llvm::Value* first) {
        for (std::int64_t k = 0; k < step; ++k) update_lane(k == 0 ? first : ir.CreateNSWAdd(first, code_.i64(k)));
    });
}

/// Stores all lanes, one after another.
Updates::Stored Updates::in_memory(const Value& value) {
    llvm::Type* element = code_.memory_type(value.type);
    llvm::Value* memory = code_.slot(element, std::int64_t{code_.lanes.width} * code_.lanes.parts());
    for (int p = 0; p < code_.lanes.parts(); ++p) {
        llvm::Value* v = code_.vector(value, p);
        if (value.type == Scalar::boolean) v = ir.CreateZExt(v, code_.vector_of(element));
        ir.CreateStore(v, ir.CreateInBoundsGEP(element, memory, code_.i64(std::int64_t{p} * code_.lanes.width)));
    }
    return {memory, element};
}

/// Offsets that are narrow numbers, widened, are stored as they were: half as much goes through memory.
Updates::Stored Updates::offsets_in_memory(const Value& offsets) {
    Few narrow;
    for (int p = 0; p < code_.lanes.parts(); ++p)
        if (auto* wide = llvm::dyn_cast<llvm::SExtInst>(code_.vector(offsets, p))) narrow.push_back(wide->getOperand(0));
    const auto parts = static_cast<std::size_t>(code_.lanes.parts());
    llvm::Type* type = narrow.size() == parts ? narrow[0]->getType() : nullptr;
    if (!type || type->getScalarSizeInBits() % 8 != 0 ||
        !std::all_of(narrow.begin(), narrow.end(), [&](llvm::Value* v) { return v->getType() == type; }))
        return in_memory(offsets);
    llvm::Type* element = type->getScalarType();
    llvm::Value* memory = code_.slot(element, std::int64_t{code_.lanes.width} * code_.lanes.parts());
    for (std::size_t p = 0; p < parts; ++p)
        ir.CreateStore(narrow[p],
                       ir.CreateInBoundsGEP(element, memory, code_.i64(static_cast<std::int64_t>(p) * code_.lanes.width)));
    return {memory, element};
}

/// The offset; in lanes that do not update, the offset of a spare element of their own, outside the array: then there is no
/// branch to predict, and nothing to wait for.
Value Updates::or_spare(std::size_t buffer, const Value& offset) {
    if (!code_.lanes.masked()) return offset;
    const Scalar type = addresses_.type(buffer);
    const std::int64_t width = code_.lanes.width;
    llvm::Value* spare = code_.slot(code_.memory_type(type), width * code_.lanes.parts());
    llvm::Value* array = addresses_.buffer(buffer);
    llvm::Value* distance = code_.pure({array}, [&] {
        llvm::Value* bytes =
            ir.CreateSub(ir.CreatePtrToInt(spare, ir.getInt64Ty()), ir.CreatePtrToInt(array, ir.getInt64Ty()));
        return ir.CreateAShr(bytes, std::countr_zero(static_cast<unsigned>(detail::size_of(type))));
    });
    Few parts;
    for (int p = 0; p < code_.lanes.parts(); ++p) {
        llvm::Value* first = code_.pure({distance}, [&] { return ir.CreateAdd(distance, code_.i64(p * width)); });
        llvm::Value* own = ir.CreateAdd(code_.splat(first), code_.lane_numbers(ir.getInt64Ty()));
        parts.push_back(ir.CreateSelect(code_.mask(p), code_.vector(offset, p), own));
    }
    return Value::varying(Scalar::i64, parts);
}

/// Lane i updates element i.
void Updates::neighbours(const Inst& inst) {
    const Value offset = scope_.operand(inst, 0);
    Values params;
    for (std::size_t k = 1; k < inst.operands.size(); ++k)
        params.push_back(memory_.load_neighbours(inst.bits + k - 1, offset));
    for (std::size_t k = 1; k < inst.operands.size(); ++k) params.push_back(scope_.operand(inst, k));
    const Values results = blocks_.block(inst.blocks[0], params);
    for (std::size_t k = 0; k < results.size(); ++k) {
        const bool boolean = results[k].type == Scalar::boolean;
        for (int p = 0; p < code_.lanes.parts(); ++p) {
            llvm::Value* v = code_.vector(results[k], p);
            memory_.store_part(inst.bits + k, offset, boolean ? ir.CreateZExt(v, code_.vector_of(ir.getInt8Ty())) : v, p);
        }
    }
}

}  // namespace sinter::emit
