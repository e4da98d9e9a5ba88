// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduce in a register tile: element after element, in order, for all rows and columns of the tile. What rows share is
// read where entry/register_tile.cpp has kept it. If the range comes in parts, accumulators are kept in memory between
// parts.
#include "jit/emit/loop/tiled_reduce.hpp"

namespace sinter::emit {

namespace {

llvm::Value* ahead(llvm::IRBuilder<>& ir, llvm::Value* pointer, std::int64_t bytes) {
    return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), pointer, static_cast<std::uint64_t>(bytes));
}

class Tiled {
  public:
    explicit Tiled(Reduction& reduction)
        : r_(reduction), op_(reduction.op), c_(reduction.code), ir(reduction.code.ir), tile_(reduction.emitter.in_tile) {}
    Values run(const TileLoop& loop);

  private:
    Few start();
    void keep_sums(const Few& sums);
    Few sum_pointers();
    Prepared kept(const TileLoop& loop, llvm::Value* record, const std::vector<Few>& rows, const Values& indices);

    Reduction& r_;
    Combiner& op_;
    Code& c_;
    llvm::IRBuilder<>& ir;
    const InTile& tile_;
};

Values Tiled::run(const TileLoop& loop) {
    const RegisterTile& plan = *tile_.plan;
    const auto number = static_cast<std::size_t>(&loop - plan.loops.data());
    Few carried = start();
    carried.push_back(tile_.of_columns[number]);
    const std::vector<Few> rows = kept_rows(r_.emitter, r_.nest, loop, tile_.of_rows[number]);
    Values indices;
    r_.nest.outer_loops(r_.nest.rank(), indices, carried, [&] {
        llvm::Value* record = carried.pop_back_val();
        const Values sums = op_.unpack(carried, c_.lanes.parts());
        const Prepared prepared = kept(loop, record, rows, indices);
        const Values element = r_.emitter.block(r_.inst.blocks[0], indices, &prepared);
        carried = op_.pack(op_.varying(op_.combine(sums, element)));
        carried.push_back(ahead(ir, record, plan.record(loop)));
    });
    carried.pop_back();
    if (r_.nest.is_chunked()) keep_sums(carried);
    return op_.unpack(carried, c_.lanes.parts());
}

/// By value, row and column: where the accumulator is kept.
Few Tiled::sum_pointers() {
    const RegisterTile& plan = *tile_.plan;
    Few bases, pointers;
    for (llvm::Value* place : tile_.place.scalars)
        bases.push_back(
            ir.CreateInBoundsGEP(ir.getInt8Ty(), tile_.sums, ir.CreateMul(place, c_.i64(plan.vectors(op_.count())))));
    for (std::size_t k = 0; k < op_.count(); ++k)
        for (llvm::Value* base : bases)
            for (int column = 0; column < plan.columns; ++column)
                pointers.push_back(ahead(ir, base, plan.vectors(k) + column * plan.unit));
    return pointers;
}

/// The initial values, or what the part before has left.
Few Tiled::start() {
    const Few initial = op_.pack(op_.varying(op_.init()));
    if (!r_.nest.is_chunked()) return initial;
    llvm::Value* first =
        ir.CreateICmpEQ(r_.emitter.fields.tile(offsetof(Tile, start)), c_.i64(static_cast<std::int64_t>(Start::init)));
    return c_.either(
        first, [&] { return initial; },
        [&] {
            const Few pointers = sum_pointers();
            Few sums;
            const llvm::Align align(static_cast<std::uint64_t>(tile_.plan->unit));
            for (std::size_t k = 0; k < pointers.size(); ++k)
                sums.push_back(ir.CreateAlignedLoad(initial[k]->getType(), pointers[k], align));
            return sums;
        });
}

/// Unless the part is the last one, keeps the accumulators and leaves the points.
void Tiled::keep_sums(const Few& sums) {
    llvm::BasicBlock *part = c_.block(), *complete = c_.block();
    ir.CreateCondBr(ir.CreateIsNotNull(r_.emitter.fields.tile(offsetof(Tile, last))), complete, part);
    c_.enter(part);
    const Few pointers = sum_pointers();
    const llvm::Align align(static_cast<std::uint64_t>(tile_.plan->unit));
    for (std::size_t k = 0; k < pointers.size(); ++k) ir.CreateAlignedStore(sums[k], pointers[k], align);
    ir.CreateBr(r_.emitter.chunked.point_done);
    c_.enter(complete);
}

/// The values that have been kept for this element, by instruction; nothing for what is computed here.
Prepared Tiled::kept(const TileLoop& loop, llvm::Value* record, const std::vector<Few>& rows, const Values& indices) {
    const RegisterTile& plan = *tile_.plan;
    const Block& block = r_.inst.blocks[0];
    Prepared prepared(block.insts.size());
    for (std::size_t k = 0; k < block.insts.size(); ++k)
        if (!loop.here[k]) prepared[k] = Values(block.insts[k].types.size());
    auto from_memory = [&](Scalar s, llvm::Value* v) { return s == Scalar::boolean ? ir.CreateIsNotNull(v) : v; };
    std::int64_t at = 0;
    for (const TileLoop::Kept& kept : loop.of_columns) {
        Few row, parts;
        for (int column = 0; column < plan.columns; ++column, at += plan.unit)
            row.push_back(
                from_memory(kept.type, ir.CreateAlignedLoad(c_.vector_of(c_.memory_type(kept.type)), ahead(ir, record, at),
                                                            llvm::Align(static_cast<std::uint64_t>(plan.unit)))));
        for (int r = 0; r < plan.rows; ++r) parts.append(row.begin(), row.end());
        (*prepared[kept.inst])[kept.result] = Value::varying(kept.type, parts);
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const TileLoop::Kept& kept = loop.of_rows[k];
        llvm::Type* type = c_.memory_type(kept.type);
        Few scalars;
        for (llvm::Value* row : rows[k])
            scalars.push_back(from_memory(
                kept.type, ir.CreateAlignedLoad(type, ir.CreateInBoundsGEP(type, row, indices[0].scalars[0]),
                                                llvm::Align(static_cast<std::uint64_t>(detail::size_of(kept.type))))));
        (*prepared[kept.inst])[kept.result] = Value{kept.type, scalars, nullptr, nullptr, {}, 64};
    }
    return prepared;
}

}  // namespace

std::vector<Few> kept_rows(Emitter& emitter, Nest& nest, const TileLoop& loop, llvm::Value* memory) {
    Code& code = emitter.code;
    llvm::IRBuilder<>& ir = code.ir;
    llvm::Value *first = nest.lo(0), *length = ir.CreateSub(nest.hi(0), first);
    llvm::Value* rows =
        ir.CreateSub(emitter.fields.tile(offsetof(Tile, row_end)), emitter.fields.tile(offsetof(Tile, row_begin)));
    std::vector<Few> result;
    for (const TileLoop::Kept& kept : loop.of_rows) {
        llvm::Value* stride = row_stride(code, length, kept.type);
        llvm::Value* origin = ir.CreateMul(first, code.i64(-detail::size_of(kept.type)));
        Few pointers;
        for (llvm::Value* place : emitter.in_tile.place.scalars)
            pointers.push_back(
                ir.CreateInBoundsGEP(ir.getInt8Ty(), memory, ir.CreateAdd(ir.CreateMul(place, stride), origin)));
        result.push_back(pointers);
        memory = ir.CreateInBoundsGEP(ir.getInt8Ty(), memory, ir.CreateMul(rows, stride));
    }
    return result;
}

Values tiled(Reduction& reduction, const TileLoop& loop) { return Tiled(reduction).run(loop); }

}  // namespace sinter::emit
