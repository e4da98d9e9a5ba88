// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores. Code under a mask is only executed if some lane is active; so what all lanes share may be
// loaded without a mask, and an inactive lane of a gather may load element 0.
#include "jit/emit/body/emitter.hpp"
#include "jit/emit/llvm/metadata.hpp"
#include "schedule/tasks.hpp"
#include "support/check.hpp"

namespace sinter::emit {

namespace {

llvm::Align align_of(Scalar type) { return llvm::Align(static_cast<std::uint64_t>(detail::size_of(type))); }

}  // namespace

llvm::Value* Emitter::buffer(std::size_t index) {
    if (buffers_.empty()) buffers_.resize(kernel_.buffers.size());
    if (!buffers_[index]) {
        if (kernel_.buffers[index].local) return buffers_[index] = local_buffer(index);
        llvm::Value* table = argument(offsetof(Arguments, buffers), ir.getPtrTy());
        buffers_[index] = code_.pure(
            {}, [&] { return invariant(ir.CreateLoad(ir.getPtrTy(), ir.CreateConstGEP1_64(ir.getPtrTy(), table, index))); });
    }
    return buffers_[index];
}

/// Behind the local buffers before it.
llvm::Value* Emitter::local_buffer(std::size_t index) {
    llvm::Value* local = tile(offsetof(Tile, local));
    return code_.pure({}, [&] {
        llvm::Value* base = ir.CreateIntToPtr(local, ir.getPtrTy());
        llvm::Value* offset = code_.i64(0);
        for (std::size_t k = 0; k < index; ++k) {
            const lower::Buffer& before = kernel_.buffers[k];
            if (!before.local) continue;
            llvm::Value* bytes = code_.mul(size(before.elements), code_.i64(local_lanes_ * detail::size_of(before.scalar)));
            bytes = ir.CreateAnd(code_.add(bytes, code_.i64(schedule::local_alignment - 1)),
                                 code_.i64(-schedule::local_alignment));
            offset = code_.add(offset, bytes);
        }
        return ir.CreateInBoundsGEP(ir.getInt8Ty(), base, offset);
    });
}

/// Buffers that this kernel loads from do not change while it runs, but for local ones and those that it updates.
llvm::LoadInst* Emitter::unchanging(const Inst& inst, llvm::LoadInst* load) {
    return kernel_.buffers[inst.bits].local || lower::is_overwritten(kernel_, inst.bits) ? load : invariant(load);
}

llvm::Value* Emitter::element_pointer(std::size_t index, llvm::Value* offset) {
    auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(offset);
    if (in_tile.plan && sum && sum->getOpcode() == llvm::Instruction::Add) return pointer_of_sum(index, sum);
    return ir.CreateInBoundsGEP(code_.memory_type(kernel_.buffers[index].scalar), buffer(index), offset);
}

/// Of lane `lane` of part `p` of an affine (or uniform) offset. Parts a constant apart share one address and differ in its
/// displacement, which machine instructions have for nothing.
llvm::Value* Emitter::part_pointer(std::size_t index, const Value& offset, int p, std::int64_t lane_shift) {
    const int column = p % code_.lanes.columns;
    auto* step = llvm::dyn_cast_or_null<llvm::ConstantInt>(offset.part_stride);
    llvm::Value* pointer = element_pointer(index, code_.scalar(offset, step ? p - column : p));
    const std::int64_t shift = (step ? column * step->getSExtValue() : 0) + lane_shift;
    if (shift == 0) return pointer;
    return ir.CreateInBoundsGEP(code_.memory_type(kernel_.buffers[index].scalar), pointer, code_.i64(shift));
}

// ---- loads ----

Value Emitter::load(const Inst& inst) {
    const Value& offset = operand(inst, 0);
    if (local_lanes_ > 1 && kernel_.buffers[inst.bits].local) return load_local(inst, offset);
    const bool boolean = inst.type() == Scalar::boolean;
    if (against_grain_.contains(&inst)) return load_rows_transposed(inst, offset);
    Few results;
    if (offset.is_lane_uniform()) {
        for (llvm::Value* o : offset.scalars) {
            llvm::Value* v = load_scalar(inst, o);
            results.push_back(boolean ? ir.CreateIsNotNull(v) : v);
        }
        return {inst.type(), results, nullptr, nullptr, {}, 64};
    }
    const auto stride = known_stride(offset);
    const bool adjacent = stride && (*stride == 1 || *stride == -1);
    const bool same = stride && *stride == 0;  // in all lanes of a part
    const bool maskable = !code_.lanes.masked() || code_.machine.masked_narrow || detail::size_of(inst.type()) >= 4;
    if (offset.is_affine() && !adjacent && !same) {
        if (Value v = load_transposed(inst, offset); !v.is_unknown()) return v;
    }
    auto load_parts = [&] {
        Few parts;
        for (int p = 0; p < code_.lanes.parts(); ++p) {
            if (p >= code_.lanes.columns && offset.is_affine() && offset.scalars.size() == 1)  // rows share it
                parts.push_back(parts[static_cast<std::size_t>(p % code_.lanes.columns)]);
            else if (same)
                parts.push_back(code_.splat(load_scalar(inst, code_.scalar(offset, p))));
            else
                parts.push_back(adjacent && maskable ? load_contiguous(inst, offset, p) : load_gathered(inst, offset, p));
        }
        return parts;
    };
    // A Zen 3 does not fetch ahead what is loaded under an AVX2 mask: that takes twice as long from memory.
    const bool whole = code_.lanes.full && adjacent && maskable && !code_.machine.mask_registers;
    results = whole ? where_full(load_parts) : load_parts();
    for (llvm::Value*& v : results) v = boolean ? ir.CreateIsNotNull(v) : v;
    return Value::varying(inst.type(), results);
}

/// What is emitted twice, for all lanes without a mask, and for those of the mask.
Few Emitter::where_full(llvm::function_ref<Few()> emit_lanes) {
    auto unmasked = [&] {
        Lanes lanes = code_.lanes;
        lanes.mask.clear();
        const WithLanes with(code_, lanes);
        return emit_lanes();
    };
    return code_.either(code_.lanes.full, unmasked, emit_lanes);
}

/// The vector that is an element of a local buffer of several rows.
llvm::Value* Emitter::local_pointer(std::size_t index, const Value& offset, int p) {
    check(!code_.lanes.masked() && !offset.is_varying(), "rows are kept element by element");
    llvm::Value* first = ir.CreateMul(code_.scalar(offset, p), code_.i64(local_lanes_));
    return ir.CreateInBoundsGEP(code_.memory_type(kernel_.buffers[index].scalar), buffer(index), first);
}

Value Emitter::load_local(const Inst& inst, const Value& offset) {
    llvm::Type* type = code_.vector_of(code_.memory_type(inst.type()));
    Few parts;
    for (int p = 0; p < code_.lanes.parts(); ++p) {
        llvm::Value* v = ir.CreateAlignedLoad(type, local_pointer(inst.bits, offset, p), align_of(inst.type()));
        parts.push_back(inst.type() == Scalar::boolean ? ir.CreateIsNotNull(v) : v);
    }
    return Value::varying(inst.type(), parts);
}

llvm::Value* Emitter::load_scalar(const Inst& inst, llvm::Value* offset) {
    return unchanging(inst, ir.CreateAlignedLoad(code_.memory_type(inst.type()), element_pointer(inst.bits, offset),
                                                 align_of(inst.type())));
}

llvm::Value* Emitter::load_contiguous(const Inst& inst, const Value& offset, int p) {
    const bool reversed = *known_stride(offset) < 0;
    llvm::Type* type = code_.vector_of(code_.memory_type(inst.type()));
    llvm::Value* pointer = part_pointer(inst.bits, offset, p, reversed ? 1 - code_.lanes.width : 0);
    llvm::Value* mask = code_.mask(p);
    if (mask && reversed) mask = ir.CreateVectorReverse(mask);
    llvm::Value* v = nullptr;
    if (mask) {
        v = ir.CreateMaskedLoad(type, pointer, align_of(inst.type()), mask, llvm::Constant::getNullValue(type));
    } else {
        v = unchanging(inst, ir.CreateAlignedLoad(type, pointer, align_of(inst.type())));
    }
    return reversed ? ir.CreateVectorReverse(v) : v;
}

llvm::Value* Emitter::load_gathered(const Inst& inst, const Value& offset, int p) {
    llvm::Type* type = code_.memory_type(inst.type());
    llvm::Value* offsets = nullptr;
    llvm::Value* mask = code_.mask(p);
    const bool hardware = code_.machine.gather && detail::size_of(inst.type()) >= 4;
    if (hardware) {
        llvm::Value* pointers = element_pointer(inst.bits, code_.vector(offset, p));
        return ir.CreateMaskedGather(code_.vector_of(type), pointers, align_of(inst.type()), mask,
                                     llvm::Constant::getNullValue(code_.vector_of(type)));
    }
    if (mask || offset.is_varying()) {
        offsets = code_.vector(offset, p);
        if (mask) offsets = ir.CreateSelect(mask, offsets, llvm::Constant::getNullValue(offsets->getType()));
    }
    llvm::Value* result = llvm::PoisonValue::get(code_.vector_of(type));
    llvm::Value* next = offsets ? nullptr : code_.scalar(offset, p);
    for (int lane = 0; lane < code_.lanes.width; ++lane) {
        const auto l = static_cast<std::uint64_t>(lane);
        if (!offsets && lane > 0) next = code_.add(next, offset.lane_stride);
        llvm::Value* element = load_scalar(inst, offsets ? lane_of(offsets, lane) : next);
        result = ir.CreateInsertElement(result, element, l);
    }
    return result;
}

/// Lane `lane` of a vector, for addressing. What has been loaded is loaded again: from the nearest cache that is cheaper
/// than moving a lane out of a vector register.
llvm::Value* Emitter::lane_of(llvm::Value* vector, int lane) {
    auto* widening = llvm::dyn_cast<llvm::CastInst>(vector);
    const bool widened = widening && widening->isIntegerCast() && llvm::isa<llvm::LoadInst>(widening->getOperand(0));
    if (widened) return ir.CreateCast(widening->getOpcode(), lane_of(widening->getOperand(0), lane), ir.getInt64Ty());
    auto* load = llvm::dyn_cast<llvm::LoadInst>(vector);
    if (!load || !load->hasMetadata(llvm::LLVMContext::MD_invariant_load))
        return ir.CreateExtractElement(vector, static_cast<std::uint64_t>(lane));
    llvm::Type* type = vector->getType()->getScalarType();
    llvm::Value* pointer = ir.CreateInBoundsGEP(type, load->getPointerOperand(), code_.i64(lane));
    return invariant(ir.CreateAlignedLoad(type, pointer, load->getAlign()));
}

// ---- stores ----

void Emitter::store(const Inst& inst, const Value& offset, const Value& value) {
    const Scalar type = kernel_.buffers[inst.bits].scalar;
    auto in_memory = [&](llvm::Value* v) {
        return type == Scalar::boolean ? ir.CreateZExt(v, v->getType()->getWithNewType(ir.getInt8Ty())) : v;
    };
    if (!code_.lanes.vector()) {
        ir.CreateAlignedStore(in_memory(value.scalars[0]), element_pointer(inst.bits, offset.scalars[0]), align_of(type));
        return;
    }
    Few parts;
    for (int p = 0; p < code_.lanes.parts(); ++p) parts.push_back(in_memory(code_.vector(value, p)));
    auto store_parts = [&] {
        if (local_lanes_ > 1 && kernel_.buffers[inst.bits].local) {
            for (int p = 0; p < code_.lanes.parts(); ++p)
                ir.CreateAlignedStore(parts[static_cast<std::size_t>(p)], local_pointer(inst.bits, offset, p),
                                      align_of(type));
            return;
        }
        if (store_transposed(inst, offset, parts)) return;
        if (store_nontemporal(inst, offset, parts)) return;
        for (int p = 0; p < code_.lanes.parts(); ++p) store_part(inst.bits, offset, parts[static_cast<std::size_t>(p)], p);
    };
    if (!code_.lanes.full) return store_parts();
    where_full([&] { return store_parts(), Few{}; });  // masked stores are slow on some machines
}

void Emitter::store_part(std::size_t buffer, const Value& offset, llvm::Value* value, int p) {
    const Scalar type = kernel_.buffers[buffer].scalar;
    const auto stride = known_stride(offset);
    llvm::Value* mask = code_.mask(p);
    const bool maskable = !mask || code_.machine.masked_narrow || detail::size_of(type) >= 4;
    if (!stride || (*stride != 1 && *stride != -1) || !maskable) return store_scattered(buffer, offset, value, p);
    llvm::Value* pointer = part_pointer(buffer, offset, p, *stride < 0 ? 1 - code_.lanes.width : 0);
    if (*stride < 0) {
        value = ir.CreateVectorReverse(value);
        if (mask) mask = ir.CreateVectorReverse(mask);
    }
    if (mask) {
        ir.CreateMaskedStore(value, pointer, align_of(type), mask);
    } else {
        ir.CreateAlignedStore(value, pointer, align_of(type));
    }
}

void Emitter::store_scattered(std::size_t buffer, const Value& offset, llvm::Value* value, int p) {
    const Scalar type = kernel_.buffers[buffer].scalar;
    if (llvm::Value* mask = code_.mask(p)) {
        ir.CreateMaskedScatter(value, element_pointer(buffer, code_.vector(offset, p)), align_of(type), mask);
        return;
    }
    llvm::Value* offsets = offset.is_varying() ? code_.vector(offset, p) : nullptr;
    llvm::Value* next = offsets ? nullptr : code_.scalar(offset, p);
    for (int lane = 0; lane < code_.lanes.width; ++lane) {
        const auto l = static_cast<std::uint64_t>(lane);
        if (!offsets && lane > 0 && offset.is_affine()) next = code_.add(next, offset.lane_stride);
        llvm::Value* pointer = element_pointer(buffer, offsets ? lane_of(offsets, lane) : next);
        ir.CreateAlignedStore(ir.CreateExtractElement(value, l), pointer, align_of(type));
    }
}

}  // namespace sinter::emit
