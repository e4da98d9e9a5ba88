// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/loop/compact.hpp"

#include "jit/emit/arch/instructions.hpp"
#include "jit/emit/loop/partials.hpp"

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
        if (permutable_bits(ir, c_.machine) > 0) return permute(buffer, value, mask, position);
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
        return lanes_from(compress_by_instruction(ir, value, mask), 0, own);
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

    /// Takes a register at a time, of eight lanes at most: a table indexed by their mask gives the lanes that come first.
    void permute(std::size_t buffer, const Value& value, llvm::Value* mask, llvm::Value* position) {
        llvm::Value* all = value.parts[0];
        if (value.type == Scalar::boolean) all = ir.CreateZExt(all, c_.vector_of(ir.getInt8Ty()));
        const int bytes = static_cast<int>(detail::size_of(value.type)), most = permutable_bits(ir, c_.machine) / 8 / bytes;
        const int piece = std::min({lanes_.width, most, 8});
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
        const bool words = bytes >= 4 && permutable_bits(ir, c_.machine) == 256;
        const int own = static_cast<int>(type->getNumElements()), all = (words ? 32 : 16) / bytes;
        value = ir.CreateBitCast(lanes_from(value, 0, all), words ? integers(32, 8) : integers(8, 16));
        llvm::Value* moved = words ? permute_words(ir, value, ir.CreateZExt(order, integers(32, 8)))
                                   : permute_bytes(ir, c_.machine, value, bytes_of(order, std::min(bytes, 4)));
        moved = ir.CreateBitCast(moved, llvm::FixedVectorType::get(type->getElementType(), static_cast<unsigned>(all)));
        return lanes_from(moved, 0, own);
    }

    /// Where the bytes of a register come from, if its parts of `bytes` bytes come from those of `order`.
    llvm::Value* bytes_of(llvm::Value* order, int bytes) {
        llvm::Value* parts = lanes_from(order, 0, 16 / bytes);
        if (bytes == 1) return parts;
        auto* type = integers(static_cast<unsigned>(8 * bytes), static_cast<unsigned>(16 / bytes));
        const std::uint64_t scale = bytes == 2 ? 0x0202 : 0x04040404, offsets = bytes == 2 ? 0x0100 : 0x03020100;
        llvm::Value* first = ir.CreateMul(ir.CreateZExt(parts, type), llvm::ConstantInt::get(type, scale));
        return ir.CreateBitCast(ir.CreateAdd(first, llvm::ConstantInt::get(type, offsets)), integers(8, 16));
    }

    llvm::FixedVectorType* integers(unsigned bits, unsigned number) {
        return llvm::FixedVectorType::get(ir.getIntNTy(bits), number);
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
