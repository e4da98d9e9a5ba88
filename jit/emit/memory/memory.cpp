// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/memory/memory.hpp"

#include "jit/emit/code/masks.hpp"
#include "jit/emit/llvm/metadata.hpp"
#include "schedule/tuning.hpp"

#include <algorithm>

namespace sinter::emit {

// ---- loads ----

Value Memory::load(const Inst& inst, const Value& offset) {
    if (addresses_.is_shared_local(inst.bits)) return load_local(inst, offset);
    const bool boolean = inst.type() == Scalar::boolean;
    if (against_grain.contains(&inst)) return transposition_.load_rows(inst, offset);
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
    const bool same = stride && *stride == 0;  // the same in all lanes of a part
    const bool interleaved = stride && *stride > 1 && !code_.lanes.masked() &&
                             *stride <= std::min<std::int64_t>(schedule::tuning::most_interleaved, code_.lanes.width);
    const bool maskable = !code_.lanes.masked() || code_.machine.masked_narrow || detail::size_of(inst.type()) >= 4;
    if (offset.is_affine() && !adjacent && !same) {
        if (Value v = transposition_.load(inst, offset); !v.is_unknown()) return v;
    }
    auto load_parts = [&] {
        Few parts;
        for (int p = 0; p < code_.lanes.parts(); ++p) {
            if (p >= code_.lanes.columns && offset.is_affine() && offset.scalars.size() == 1)  // shared by rows
                parts.push_back(parts[static_cast<std::size_t>(p % code_.lanes.columns)]);
            else if (same)
                parts.push_back(code_.splat(load_scalar(inst, code_.scalar(offset, p))));
            else if (interleaved)
                parts.push_back(load_interleaved(inst, offset, p));
            else
                parts.push_back(adjacent && maskable ? load_contiguous(inst, offset, p) : load_gathered(inst, offset, p));
        }
        return parts;
    };
    // A Zen 3 does not prefetch what is loaded under an AVX2 mask, so that it takes twice as long to come from memory.
    const bool whole = code_.lanes.full && adjacent && maskable && !code_.machine.mask_registers;
    results = whole ? where_full(code_, load_parts) : load_parts();
    for (llvm::Value*& v : results) v = boolean ? ir.CreateIsNotNull(v) : v;
    return Value::varying(inst.type(), results);
}

void Memory::fetch(const Inst& inst, const Value& offset) {
    if (known_stride(offset) != 1) return;
    const int bytes = code_.lanes.width * static_cast<int>(detail::size_of(inst.type()));
    for (int p = 0; p < code_.lanes.parts(); ++p)
        if (p * bytes % schedule::tuning::line_bytes == 0)
            ir.CreateIntrinsic(llvm::Intrinsic::prefetch, {ir.getPtrTy()},
                               {addresses_.part(inst.bits, offset, p), ir.getInt32(0), ir.getInt32(3), ir.getInt32(1)});
}

Value Memory::load_local(const Inst& inst, const Value& offset) {
    llvm::Type* type = code_.vector_of(code_.memory_type(inst.type()));
    Few parts;
    for (int p = 0; p < code_.lanes.parts(); ++p) {
        llvm::Value* v = ir.CreateAlignedLoad(type, addresses_.local_vector(inst.bits, offset, p), align_of(inst.type()));
        parts.push_back(inst.type() == Scalar::boolean ? ir.CreateIsNotNull(v) : v);
    }
    return Value::varying(inst.type(), parts);
}

llvm::Value* Memory::load_scalar(const Inst& inst, llvm::Value* offset) {
    return addresses_.unchanging(
        inst.bits,
        ir.CreateAlignedLoad(code_.memory_type(inst.type()), addresses_.element(inst.bits, offset), align_of(inst.type())));
}

llvm::Value* Memory::load_contiguous(const Inst& inst, const Value& offset, int p) {
    const bool reversed = *known_stride(offset) < 0;
    llvm::Type* type = code_.vector_of(code_.memory_type(inst.type()));
    llvm::Value* pointer = addresses_.part(inst.bits, offset, p, reversed ? 1 - code_.lanes.width : 0);
    llvm::Value* mask = code_.mask(p);
    if (mask && reversed) mask = ir.CreateVectorReverse(mask);
    llvm::Value* v = nullptr;
    if (mask) {
        v = ir.CreateMaskedLoad(type, pointer, align_of(inst.type()), mask, llvm::Constant::getNullValue(type));
    } else {
        v = addresses_.unchanging(inst.bits, ir.CreateAlignedLoad(type, pointer, align_of(inst.type())));
    }
    return reversed ? ir.CreateVectorReverse(v) : v;
}

/// Loads all elements from that of the first lane to that of the last one, and keeps those of the lanes. The last vector
/// ends with the last lane's element, behind which there may be nothing.
llvm::Value* Memory::load_interleaved(const Inst& inst, const Value& offset, int p) {
    llvm::Type* type = code_.vector_of(code_.memory_type(inst.type()));
    const std::int64_t width = code_.lanes.width, stride = *known_stride(offset), last = stride * (width - 1);
    llvm::Value* result = nullptr;
    std::int64_t lane = 0;  // those before it are in `result`
    for (std::int64_t k = 0; k < stride; ++k) {
        const std::int64_t begin = std::min(k * width, last + 1 - width);
        llvm::Value* pointer = addresses_.part(inst.bits, offset, p, begin);
        llvm::Value* next = addresses_.unchanging(inst.bits, ir.CreateAlignedLoad(type, pointer, align_of(inst.type())));
        llvm::SmallVector<int> from(static_cast<std::size_t>(width), -1);
        for (std::int64_t l = 0; l < lane; ++l) from[static_cast<std::size_t>(l)] = static_cast<int>(l);
        const std::int64_t before = result ? width : 0;
        for (; lane < width && lane * stride < begin + width; ++lane)
            from[static_cast<std::size_t>(lane)] = static_cast<int>(before + lane * stride - begin);
        result = result ? ir.CreateShuffleVector(result, next, from) : ir.CreateShuffleVector(next, from);
    }
    return result;
}

/// The same numbers, widened in this block, if they are widened ones. Instructions that gather take narrow numbers for whole
/// registers, in half as many instructions, but are chosen block by block, and mostly there is a check in between. The
/// freeze keeps the two from becoming one again.
llvm::Value* Memory::widened_here(llvm::Value* numbers) {
    const auto* wide = llvm::dyn_cast<llvm::SExtInst>(numbers);
    if (!wide || wide->getSrcTy()->getScalarSizeInBits() > 32) return numbers;
    return ir.CreateSExt(ir.CreateFreeze(wide->getOperand(0)), wide->getType());
}

llvm::Value* Memory::load_gathered(const Inst& inst, const Value& offset, int p) {
    llvm::Type* type = code_.memory_type(inst.type());
    llvm::Value* mask = code_.mask(p);
    const bool hardware = code_.machine.gather && detail::size_of(inst.type()) >= 4;
    if (hardware) {
        llvm::Value* pointers = addresses_.element(inst.bits, widened_here(code_.vector(offset, p)));
        return ir.CreateMaskedGather(code_.vector_of(type), pointers, align_of(inst.type()), mask,
                                     llvm::Constant::getNullValue(code_.vector_of(type)));
    }
    if (mask) return load_active(inst, addresses_.element(inst.bits, code_.vector(offset, p)), mask);
    llvm::Value* offsets = offset.is_varying() ? code_.vector(offset, p) : nullptr;
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

/// Loads lane by lane, from these pointers where the mask is set. What other lanes load means nothing.
llvm::Value* Memory::load_active(const Inst& inst, llvm::Value* pointers, llvm::Value* mask) {
    llvm::Type* type = code_.memory_type(inst.type());
    const auto width = static_cast<unsigned>(code_.lanes.width);
    pointers = ir.CreateSelect(mask, pointers, ir.CreateVectorSplat(width, addresses_.readable()));
    llvm::Value* result = llvm::PoisonValue::get(code_.vector_of(type));
    for (unsigned lane = 0; lane < width; ++lane) {
        llvm::Value* pointer = ir.CreateExtractElement(pointers, std::uint64_t{lane});
        llvm::Value* element = addresses_.unchanging(inst.bits, ir.CreateAlignedLoad(type, pointer, align_of(inst.type())));
        result = ir.CreateInsertElement(result, element, std::uint64_t{lane});
    }
    return result;
}

/// Lane `lane` of a vector, for use in an address. If the vector was loaded, the lane is loaded again: from the nearest
/// cache, that is cheaper than moving a lane out of a vector register.
llvm::Value* Memory::lane_of(llvm::Value* vector, int lane) {
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

void Memory::store(const Inst& inst, const Value& offset, const Value& value) {
    const Scalar type = addresses_.type(inst.bits);
    auto in_memory = [&](llvm::Value* v) {
        return type == Scalar::boolean ? ir.CreateZExt(v, v->getType()->getWithNewType(ir.getInt8Ty())) : v;
    };
    if (!code_.lanes.vector()) {
        ir.CreateAlignedStore(in_memory(value.scalars[0]), addresses_.element(inst.bits, offset.scalars[0]), align_of(type));
        return;
    }
    Few parts;
    for (int p = 0; p < code_.lanes.parts(); ++p) parts.push_back(in_memory(code_.vector(value, p)));
    if (!code_.lanes.full) return store_parts(inst, offset, parts);
    where_full(code_, [&] { return store_parts(inst, offset, parts), Few{}; });  // masked stores are slow on some machines
}

void Memory::store_parts(const Inst& inst, const Value& offset, const Few& parts) {
    if (addresses_.is_shared_local(inst.bits)) return store_local(inst, offset, parts);
    auto through_caches = [&] {
        for (std::size_t p = 0; p < parts.size(); ++p) store_part(inst.bits, offset, parts[p], static_cast<int>(p));
    };
    if (transposition_.store(inst, offset, parts)) return;
    if (nontemporal_.store(inst, offset, parts, through_caches)) return;
    through_caches();
}

void Memory::store_local(const Inst& inst, const Value& offset, const Few& parts) {
    for (std::size_t p = 0; p < parts.size(); ++p)
        ir.CreateAlignedStore(parts[p], addresses_.local_vector(inst.bits, offset, static_cast<int>(p)),
                              align_of(addresses_.type(inst.bits)));
}

void Memory::store_part(std::size_t buffer, const Value& offset, llvm::Value* value, int p) {
    const Scalar type = addresses_.type(buffer);
    const auto stride = known_stride(offset);
    llvm::Value* mask = code_.mask(p);
    const bool maskable = !mask || code_.machine.masked_narrow || detail::size_of(type) >= 4;
    if (!stride || (*stride != 1 && *stride != -1) || !maskable) return store_scattered(buffer, offset, value, p);
    llvm::Value* pointer = addresses_.part(buffer, offset, p, *stride < 0 ? 1 - code_.lanes.width : 0);
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

void Memory::store_scattered(std::size_t buffer, const Value& offset, llvm::Value* value, int p) {
    const Scalar type = addresses_.type(buffer);
    if (llvm::Value* mask = code_.mask(p)) {
        ir.CreateMaskedScatter(value, addresses_.element(buffer, code_.vector(offset, p)), align_of(type), mask);
        return;
    }
    llvm::Value* offsets = offset.is_varying() ? code_.vector(offset, p) : nullptr;
    llvm::Value* next = offsets ? nullptr : code_.scalar(offset, p);
    for (int lane = 0; lane < code_.lanes.width; ++lane) {
        const auto l = static_cast<std::uint64_t>(lane);
        if (!offsets && lane > 0 && offset.is_affine()) next = code_.add(next, offset.lane_stride);
        llvm::Value* pointer = addresses_.element(buffer, offsets ? lane_of(offsets, lane) : next);
        ir.CreateAlignedStore(ir.CreateExtractElement(value, l), pointer, align_of(type));
    }
}

// ---- elements ----

Value Memory::load_neighbours(std::size_t buffer, const Value& offset) {
    const Scalar type = addresses_.type(buffer);
    const llvm::Align align(static_cast<std::uint64_t>(detail::size_of(type)));
    llvm::Type* lanes = code_.vector_of(code_.memory_type(type));
    Few parts;
    for (int p = 0; p < code_.lanes.parts(); ++p) {
        llvm::Value* from = addresses_.part(buffer, offset, p);
        llvm::Value* mask = code_.mask(p);
        llvm::Value* v = nullptr;
        if (mask)
            v = ir.CreateMaskedLoad(lanes, from, align, mask, llvm::Constant::getNullValue(lanes));
        else
            v = ir.CreateAlignedLoad(lanes, from, align);
        parts.push_back(type == Scalar::boolean ? ir.CreateIsNotNull(v) : v);
    }
    return Value::varying(type, parts);
}

Value Memory::load_element(std::size_t buffer, llvm::Value* offset) {
    const Scalar type = addresses_.type(buffer);
    llvm::Value* v = ir.CreateAlignedLoad(code_.memory_type(type), addresses_.element(buffer, offset),
                                          llvm::Align(static_cast<std::uint64_t>(detail::size_of(type))));
    return Value::uniform(type, type == Scalar::boolean ? ir.CreateIsNotNull(v) : v);
}

void Memory::store_element(std::size_t buffer, llvm::Value* offset, llvm::Value* value) {
    const Scalar type = addresses_.type(buffer);
    if (type == Scalar::boolean) value = ir.CreateZExt(value, ir.getInt8Ty());
    ir.CreateAlignedStore(value, addresses_.element(buffer, offset),
                          llvm::Align(static_cast<std::uint64_t>(detail::size_of(type))));
}

}  // namespace sinter::emit
