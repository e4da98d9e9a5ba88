// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compaction. A vector of elements is moved to the place where the next kept one belongs, the kept ones in front; the next
// vector overwrites the others. There is room: no more are kept than have been looked at. A chunk writes from the beginning
// of the buffers it is given.
#include "jit/emit/emitter.hpp"
#include "jit/emit/partials.hpp"

#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>

namespace sinter::emit {

namespace {

class Compaction {
  public:
    Compaction(Emitter& emitter, Code& code, const lower::Kernel& kernel, const Inst& inst, const Lanes& lanes)
        : e_(emitter), c_(code), ir(code.ir), kernel_(kernel), inst_(inst), lanes_(lanes) {}

    /// Moves the kept elements of one vector to `position`; returns how many there are.
    llvm::Value* move(const Values& values, llvm::Value* position) {
        const Few& mask = values[0].parts;
        for (std::size_t k = 1; k < values.size(); ++k) move_one(inst_.bits + k - 1, values[k], mask[0], position);
        return count(mask[0]);
    }

    static bool has_native_move(const Machine& machine, Scalar s, int width) {
        return machine.x86 && machine.vector_bits == 256 && detail::size_of(s) == 4 && width == 8;
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

    llvm::Value* pointer(std::size_t buffer, llvm::Value* position) { return e_.element_pointer(buffer, position); }

    void move_one(std::size_t buffer, const Value& value, llvm::Value* mask, llvm::Value* position) {
        const Scalar s = kernel_.buffers[buffer].scalar;
        if (can_compress(c_.machine, s)) return compress(buffer, value.parts[0], mask, position);
        if (has_native_move(c_.machine, s, lanes_.width)) return permute(buffer, value.parts[0], mask, position);
        one_by_one(buffer, value, mask, position);
    }

    /// In registers: to memory it takes a Zen 4 more than a hundred cycles. What is wider than a register goes in pieces.
    void compress(std::size_t buffer, llvm::Value* value, llvm::Value* mask, llvm::Value* position) {
        const int bits = static_cast<int>(value->getType()->getScalarSizeInBits()), most = 512 / bits;
        for (int first = 0; first < lanes_.width; first += most) {
            llvm::Value* some = lanes_from(mask, first, std::min(most, lanes_.width));
            llvm::Value* kept = compressed(lanes_from(value, first, std::min(most, lanes_.width)), some, 128 / bits);
            ir.CreateAlignedStore(kept, pointer(buffer, position), llvm::Align(static_cast<std::uint64_t>(bits / 8)));
            if (first + most < lanes_.width) position = ir.CreateAdd(position, count(some));
        }
    }

    /// The kept lanes first, then any.
    llvm::Value* compressed(llvm::Value* value, llvm::Value* mask, int least) {
        const int own = static_cast<int>(llvm::cast<llvm::FixedVectorType>(value->getType())->getNumElements());
        const int width = std::max(own, least);
        value = lanes_from(value, 0, width), mask = lanes_from(mask, 0, width);
        llvm::Value* kept = ir.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_compress, {value->getType()},
                                               {value, llvm::PoisonValue::get(value->getType()), mask});
        return lanes_from(kept, 0, own);
    }

    /// `number` lanes; those that there are not are 0.
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

    /// Lane l takes the l-th kept one: found in a table by the mask.
    void permute(std::size_t buffer, llvm::Value* value, llvm::Value* mask, llvm::Value* position) {
        llvm::Value* row = ir.CreateZExt(bits_of(mask), ir.getInt64Ty());
        llvm::Type* narrow = llvm::FixedVectorType::get(ir.getInt8Ty(), 8);
        llvm::Value* at = ir.CreateInBoundsGEP(narrow, table(), row);
        llvm::Value* lanes =
            ir.CreateZExt(ir.CreateAlignedLoad(narrow, at, llvm::Align(8)), llvm::FixedVectorType::get(ir.getInt32Ty(), 8));
        llvm::Value* words = ir.CreateBitCast(value, lanes->getType());
        words = ir.CreateIntrinsic(llvm::Intrinsic::x86_avx2_permd, {}, {words, lanes});
        ir.CreateAlignedStore(ir.CreateBitCast(words, value->getType()), pointer(buffer, position), llvm::Align(4));
    }

    /// By mask: which lanes are set, in order.
    llvm::GlobalVariable* table() {
        llvm::Module& module = *ir.GetInsertBlock()->getModule();
        constexpr const char* name = "kept_lanes";
        if (auto* made = module.getGlobalVariable(name, true)) return made;
        std::array<std::uint8_t, 256 * 8> rows{};
        for (std::size_t mask = 0; mask < 256; ++mask)
            for (std::size_t lane = 0, next = 0; lane < 8; ++lane)
                if (mask >> lane & 1) rows[8 * mask + next++] = static_cast<std::uint8_t>(lane);
        llvm::Constant* data = llvm::ConstantDataArray::get(module.getContext(), rows);
        auto* made = new llvm::GlobalVariable(module, data->getType(), true, llvm::GlobalValue::InternalLinkage, data, name);
        made->setAlignment(llvm::Align(64));
        return made;
    }

    /// Every lane is stored; the place advances past those kept.
    void one_by_one(std::size_t buffer, const Value& value, llvm::Value* mask, llvm::Value* position) {
        for (int lane = 0; lane < lanes_.width; ++lane) {
            const auto l = static_cast<std::uint64_t>(lane);
            e_.store_element(buffer, position, ir.CreateExtractElement(value.parts[0], l));
            position = ir.CreateAdd(position, ir.CreateZExt(ir.CreateExtractElement(mask, l), ir.getInt64Ty()));
        }
    }

    Emitter& e_;
    Code& c_;
    llvm::IRBuilder<>& ir;
    const lower::Kernel& kernel_;
    const Inst& inst_;
    const Lanes& lanes_;
};

}  // namespace

Values Emitter::compact(const Inst& inst) {
    const bool chunk = &inst == chunked.reduce;
    if (chunk && chunked.part == Part::finish)
        return Partials(*this, inst, 1).load(argument(offsetof(Arguments, chunks), ir.getInt64Ty()));
    llvm::Value* lo = chunk ? tile(offsetof(Tile, reduce_begin)) : code_.i64(0);
    llvm::Value* hi = chunk ? tile(offsetof(Tile, reduce_end)) : operand(inst, 0).scalars[0];
    const Values count{index(compact_range(inst, lo, hi))};
    if (chunk) Partials(*this, inst).store_and_leave(count);
    return count;
}

/// How many elements of [lo, hi) are kept.
llvm::Value* Emitter::compact_range(const Inst& inst, llvm::Value* lo, llvm::Value* hi) {
    Few carried{code_.i64(0)};
    code_.when(ir.CreateICmpSLT(lo, hi), carried, [&] {
        const Profile profile = emit::profile(kernel_, inst.blocks[0], patterns(), {Pattern::lane()});
        Lanes lanes = choose_lanes(code_.machine, profile, 1);
        lanes.columns = 1;
        lanes.covering = false;
        Interior interior{lo, hi};
        const Prepared prepared = prepare(inst.blocks[0], {}, &interior);
        llvm::Value* rest = lo;
        if (lanes.vector()) {
            rest = ir.CreateAdd(lo, ir.CreateAnd(ir.CreateSub(hi, lo), code_.i64(-lanes.width)));
            ordered_vectors(lo, rest, lanes.width, interior, carried, [&](llvm::Value* i) {
                const WithLanes with(code_, lanes);
                Value at = index(i);
                at.lane_stride = at.part_stride = code_.i64(1);
                Values values;
                for (const Value& v : block(inst.blocks[0], {at}, &prepared)) values.push_back(code_.make_varying(v));
                llvm::Value* kept = Compaction(*this, code_, kernel_, inst, lanes).move(values, carried[0]);
                carried[0] = ir.CreateAdd(carried[0], kept);
            });
        }
        code_.loop(rest, hi, 1, carried, [&](llvm::Value* i) {
            const Values values = block(inst.blocks[0], {index(i)}, &prepared);
            for (std::size_t k = 1; k < values.size(); ++k)
                store_element(inst.bits + k - 1, carried[0], values[k].scalars[0]);
            carried[0] = ir.CreateAdd(carried[0], ir.CreateZExt(values[0].scalars[0], ir.getInt64Ty()));
        });
    });
    return carried[0];
}

}  // namespace sinter::emit
