// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/loop/compact.hpp"

#include "jit/emit/loop/partials.hpp"

#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace sinter::emit {

namespace {

class Compaction {
  public:
    Compaction(Emitter& emitter, const Inst& inst, const Lanes& lanes)
        : e_(emitter), c_(emitter.code), ir(emitter.code.ir), inst_(inst), lanes_(lanes) {}

    /// Moves the kept elements to `position`; returns the position after them.
    llvm::Value* move(const Values& values, llvm::Value* position) {
        for (std::size_t p = 0; p < values[0].parts.size(); ++p) {
            llvm::Value* mask = values[0].parts[p];
            for (std::size_t k = 1; k < values.size(); ++k)
                move_one(inst_.bits + k - 1, Value::varying(values[k].type, {values[k].parts[p]}), mask, position);
            position = ir.CreateAdd(position, count(mask));
        }
        return position;
    }

    static bool can_permute(const Machine& machine) { return machine.x86 && machine.vector_bits == 256; }

    static bool can_compress(const Machine& machine, Scalar s) {
        if (detail::size_of(s) >= 4) return machine.mask_registers;
        return machine.compress_narrow && s != Scalar::boolean && s != Scalar::f16;
    }

  private:
    llvm::Value* bits_of(llvm::Value* mask) {
        auto* type = llvm::cast<llvm::FixedVectorType>(mask->getType());
        return ir.CreateBitCast(mask, ir.getIntNTy(type->getNumElements()));
    }

    llvm::Value* pointer(std::size_t buffer, llvm::Value* position) { return e_.addresses.element(buffer, position); }

    void move_one(std::size_t buffer, const Value& value, llvm::Value* mask, llvm::Value* position) {
        const Scalar s = e_.addresses.type(buffer);
        if (can_compress(c_.machine, s)) return compress(buffer, value.parts[0], mask, position);
        if (can_permute(c_.machine)) return permute(buffer, value, mask, position);
        one_by_one(buffer, value, mask, position);
    }

    /// Compresses in registers: compressing to memory takes a Zen 4 more than a hundred cycles. What is wider than a
    /// register goes in pieces.
    void compress(std::size_t buffer, llvm::Value* value, llvm::Value* mask, llvm::Value* position) {
        const int bits = static_cast<int>(value->getType()->getScalarSizeInBits()), most = 512 / bits;
        for (int first = 0; first < lanes_.width; first += most) {
            llvm::Value* some = lanes_from(mask, first, std::min(most, lanes_.width));
            llvm::Value* kept = compressed(lanes_from(value, first, std::min(most, lanes_.width)), some, 128 / bits);
            ir.CreateAlignedStore(kept, pointer(buffer, position), llvm::Align(static_cast<std::uint64_t>(bits / 8)));
            if (first + most < lanes_.width) position = ir.CreateAdd(position, count(some));
        }
    }

    /// The kept lanes first, followed by any.
    llvm::Value* compressed(llvm::Value* value, llvm::Value* mask, int least) {
        const int own = static_cast<int>(llvm::cast<llvm::FixedVectorType>(value->getType())->getNumElements());
        const int width = std::max(own, least);
        value = lanes_from(value, 0, width), mask = lanes_from(mask, 0, width);
        llvm::Value* kept = ir.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_compress, {value->getType()},
                                               {value, llvm::PoisonValue::get(value->getType()), mask});
        return lanes_from(kept, 0, own);
    }

    /// `number` lanes; those that do not exist are 0.
    llvm::Value* lanes_from(llvm::Value* vector, int first, int number) {
        const int all = static_cast<int>(llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements());
        if (first == 0 && number == all) return vector;
        llvm::SmallVector<int> lanes;
        for (int lane = first; lane < first + number; ++lane) lanes.push_back(std::min(lane, all));
        return ir.CreateShuffleVector(vector, llvm::Constant::getNullValue(vector->getType()), lanes);
    }

    llvm::Value* count(llvm::Value* mask) {
        return ir.CreateZExt(ir.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits_of(mask)), ir.getInt64Ty());
    }

    /// Takes up to eight lanes at a time, or four of eight bytes each: a table indexed by their mask gives the lanes that
    /// come first.
    void permute(std::size_t buffer, const Value& value, llvm::Value* mask, llvm::Value* position) {
        llvm::Value* all = value.parts[0];
        if (value.type == Scalar::boolean) all = ir.CreateZExt(all, c_.vector_of(ir.getInt8Ty()));
        const int bytes = static_cast<int>(detail::size_of(value.type)), piece = std::min(lanes_.width, bytes == 8 ? 4 : 8);
        llvm::Value* bits = ir.CreateZExt(bits_of(mask), ir.getInt64Ty());
        for (int first = 0; first < lanes_.width; first += piece) {
            llvm::Value* some = ir.CreateAnd(ir.CreateLShr(bits, c_.i64(first)), c_.i64((1 << piece) - 1));
            llvm::Value* kept = permuted(lanes_from(all, first, piece), kept_lanes(bytes == 8, some), bytes);
            ir.CreateAlignedStore(kept, pointer(buffer, position), llvm::Align(static_cast<std::uint64_t>(bytes)));
            if (first + piece < lanes_.width)
                position = ir.CreateAdd(position, ir.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, some));
        }
    }

    /// Lane l becomes lane order[l]; for elements of eight bytes, half l becomes half order[l].
    llvm::Value* permuted(llvm::Value* value, llvm::Value* order, int bytes) {
        auto* type = llvm::cast<llvm::FixedVectorType>(value->getType());
        const int own = static_cast<int>(type->getNumElements());
        auto in = [&](unsigned bits, unsigned number) { return llvm::FixedVectorType::get(ir.getIntNTy(bits), number); };
        if (bytes >= 4) {
            llvm::Value* words = ir.CreateBitCast(lanes_from(value, 0, 32 / bytes), in(32, 8));
            words = ir.CreateIntrinsic(llvm::Intrinsic::x86_avx2_permd, {}, {words, ir.CreateZExt(order, in(32, 8))});
            auto* whole = llvm::FixedVectorType::get(type->getElementType(), 32 / static_cast<unsigned>(bytes));
            return lanes_from(ir.CreateBitCast(words, whole), 0, own);
        }
        llvm::Value* places = lanes_from(order, 0, 16);
        if (bytes == 2) {  // positions of both bytes
            llvm::Value* twice = ir.CreateMul(ir.CreateZExt(order, in(16, 8)), llvm::ConstantInt::get(in(16, 8), 0x0202));
            places = ir.CreateBitCast(ir.CreateAdd(twice, llvm::ConstantInt::get(in(16, 8), 0x0100)), in(8, 16));
        }
        llvm::Value* moved = ir.CreateBitCast(lanes_from(value, 0, 16 / bytes), in(8, 16));
        moved = ir.CreateIntrinsic(llvm::Intrinsic::x86_ssse3_pshuf_b_128, {}, {moved, places});
        auto* whole = llvm::FixedVectorType::get(type->getElementType(), 16 / static_cast<unsigned>(bytes));
        return lanes_from(ir.CreateBitCast(moved, whole), 0, own);
    }

    /// The lanes that are set in a mask of eight, in order; for a mask of four, both halves of each.
    llvm::Value* kept_lanes(bool halves, llvm::Value* mask) {
        llvm::Type* row = llvm::FixedVectorType::get(ir.getInt8Ty(), 8);
        return ir.CreateAlignedLoad(row, ir.CreateInBoundsGEP(row, table(halves), mask), llvm::Align(8));
    }

    llvm::GlobalVariable* table(bool halves) {
        llvm::Module& module = *ir.GetInsertBlock()->getModule();
        const char* name = halves ? "kept_halves" : "kept_lanes";
        if (auto* made = module.getGlobalVariable(name, true)) return made;
        const std::size_t lanes = halves ? 4 : 8, parts = halves ? 2 : 1;
        std::vector<std::uint8_t> rows(8 << lanes);
        for (std::size_t mask = 0; mask >> lanes == 0; ++mask)
            for (std::size_t lane = 0, next = 8 * mask; lane < lanes; ++lane)
                for (std::size_t part = 0; part < parts && (mask >> lane & 1); ++part)
                    rows[next++] = static_cast<std::uint8_t>(parts * lane + part);
        llvm::Constant* data = llvm::ConstantDataArray::get(module.getContext(), rows);
        auto* made = new llvm::GlobalVariable(module, data->getType(), true, llvm::GlobalValue::InternalLinkage, data, name);
        made->setAlignment(llvm::Align(64));
        return made;
    }

    /// Every lane is stored, but the position advances past the kept ones only.
    void one_by_one(std::size_t buffer, const Value& value, llvm::Value* mask, llvm::Value* position) {
        for (int lane = 0; lane < lanes_.width; ++lane) {
            const auto l = static_cast<std::uint64_t>(lane);
            e_.memory.store_element(buffer, position, ir.CreateExtractElement(value.parts[0], l));
            position = ir.CreateAdd(position, ir.CreateZExt(ir.CreateExtractElement(mask, l), ir.getInt64Ty()));
        }
    }

    Emitter& e_;
    Code& c_;
    llvm::IRBuilder<>& ir;
    const Inst& inst_;
    const Lanes& lanes_;
};

/// The number of elements of [lo, hi) that are kept.
llvm::Value* compact_range(Emitter& emitter, const Inst& inst, llvm::Value* lo, llvm::Value* hi) {
    Code& code = emitter.code;
    llvm::IRBuilder<>& ir = code.ir;
    Few carried{code.i64(0)};
    code.when(ir.CreateICmpSLT(lo, hi), carried, [&] {
        Lanes lanes(emitter.lanes.lanes_of(inst));
        Interior interior{lo, hi};
        const Prepared prepared = emitter.lanes.invariants().prepare(inst.blocks[0], {}, &interior);
        llvm::Value* rest = lo;
        auto vectors = [&](int columns, const Interior& within) {
            lanes.columns = columns;
            const std::int64_t step = std::int64_t{lanes.width} * columns;
            llvm::Value* first =
                std::exchange(rest, ir.CreateAdd(rest, ir.CreateAnd(ir.CreateSub(hi, rest), code.i64(-step))));
            emitter.lanes.borders().in_order(first, rest, step, within, carried, [&](llvm::Value* i) {
                const WithLanes with(code, lanes);
                Values values;
                for (const Value& v : emitter.block(inst.blocks[0], {code.lane_index(i)}, &prepared))
                    values.push_back(code.make_varying(v));
                carried[0] = Compaction(emitter, inst, lanes).move(values, carried[0]);
            });
        };
        if (lanes.vector()) vectors(lanes.columns, interior);
        if (lanes.columns > 1) vectors(1, Interior{rest, rest});
        code.loop(rest, hi, 1, carried, [&](llvm::Value* i) {
            const Values values = emitter.block(inst.blocks[0], {Value::index(i)}, &prepared);
            for (std::size_t k = 1; k < values.size(); ++k)
                emitter.memory.store_element(inst.bits + k - 1, carried[0], values[k].scalars[0]);
            carried[0] = ir.CreateAdd(carried[0], ir.CreateZExt(values[0].scalars[0], ir.getInt64Ty()));
        });
    });
    return carried[0];
}

}  // namespace

Values emit_compact(Emitter& emitter, const Inst& inst) {
    const bool chunk = emitter.chunked.is(inst);
    Fields& fields = emitter.fields;
    if (chunk && emitter.chunked.part == Part::finish) return Partials(emitter, inst, 1).load(fields.chunks());
    llvm::Value* lo = chunk ? fields.tile(offsetof(Tile, reduce_begin)) : emitter.code.i64(0);
    llvm::Value* hi = chunk ? fields.tile(offsetof(Tile, reduce_end)) : emitter.scope.operand(inst, 0).scalars[0];
    const Values count{Value::index(compact_range(emitter, inst, lo, hi))};
    if (chunk) Partials(emitter, inst).store_and_leave(count);
    return count;
}

}  // namespace sinter::emit
