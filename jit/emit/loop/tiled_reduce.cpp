// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduce in a register tile: element after element, in order, for all rows and columns of the tile. What rows share is
// read where tiles.cpp has kept it. Where the range comes in parts, accumulators are kept in memory from part to part.
#include "jit/emit/loop/reduce.hpp"

namespace sinter::emit {

namespace {

llvm::Value* ahead(llvm::IRBuilder<>& ir, llvm::Value* pointer, std::int64_t bytes) {
    return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), pointer, static_cast<std::uint64_t>(bytes));
}

}  // namespace

llvm::Value* Emitter::row_stride(llvm::Value* length, Scalar type) {
    constexpr std::int64_t line = 64;
    llvm::Value* bytes = code_.mul(length, code_.i64(detail::size_of(type)));
    return ir.CreateOr(ir.CreateAnd(code_.add(bytes, code_.i64(line - 1)), code_.i64(-line)), code_.i64(line));
}

/// Every row has its pointer, which does not change in the loop over what it is combined with; it may lie outside of the
/// buffer.
llvm::Value* Emitter::pointer_of_sum(std::size_t index, llvm::BinaryOperator* sum) {
    llvm::Type* type = code_.memory_type(kernel_.buffers[index].scalar);
    llvm::Value *first = sum->getOperand(0), *then = sum->getOperand(1);
    if (code_.depth_of(first) > code_.depth_of(then)) std::swap(first, then);
    llvm::Value *base = buffer(index), *row = code_.pure({first}, [&] { return ir.CreateGEP(type, base, first); });
    return ir.CreateGEP(type, row, then);
}

/// By value, row and column: where its accumulator is kept.
Few Reduction::sum_pointers() {
    const RegisterTile& plan = *e_.in_tile.plan;
    Few bases, pointers;
    for (llvm::Value* place : e_.in_tile.place.scalars)
        bases.push_back(
            ir.CreateInBoundsGEP(ir.getInt8Ty(), e_.in_tile.sums, ir.CreateMul(place, c_.i64(plan.vectors(count())))));
    for (std::size_t k = 0; k < count(); ++k)
        for (llvm::Value* base : bases)
            for (int column = 0; column < plan.columns; ++column)
                pointers.push_back(ahead(ir, base, plan.vectors(k) + column * plan.unit));
    return pointers;
}

/// The initial values, or what the part before has left.
Few Reduction::tiled_start() {
    const Few initial = pack(varying(init()));
    if (!is_chunked()) return initial;
    llvm::Value* first = ir.CreateICmpEQ(e_.tile(offsetof(Tile, start)), c_.i64(static_cast<std::int64_t>(Start::init)));
    return c_.either(
        first, [&] { return initial; },
        [&] {
            const Few pointers = sum_pointers();
            Few sums;
            const llvm::Align align(static_cast<std::uint64_t>(e_.in_tile.plan->unit));
            for (std::size_t k = 0; k < pointers.size(); ++k)
                sums.push_back(ir.CreateAlignedLoad(initial[k]->getType(), pointers[k], align));
            return sums;
        });
}

/// Unless the part is the last: keeps the accumulators and leaves the points.
void Reduction::keep_sums(const Few& sums) {
    llvm::BasicBlock *part = c_.block(), *complete = c_.block();
    ir.CreateCondBr(ir.CreateIsNotNull(e_.tile(offsetof(Tile, last))), complete, part);
    c_.enter(part);
    const Few pointers = sum_pointers();
    const llvm::Align align(static_cast<std::uint64_t>(e_.in_tile.plan->unit));
    for (std::size_t k = 0; k < pointers.size(); ++k) ir.CreateAlignedStore(sums[k], pointers[k], align);
    ir.CreateBr(e_.chunked.point_done);
    c_.enter(complete);
}

/// By kept value and row of the tile: its row in memory, moved such that it is indexed like the loop.
std::vector<Few> Reduction::kept_rows(const TileLoop& loop, llvm::Value* memory) {
    llvm::Value *first = lo(0), *length = ir.CreateSub(hi(0), first);
    llvm::Value* rows = ir.CreateSub(e_.tile(offsetof(Tile, row_end)), e_.tile(offsetof(Tile, row_begin)));
    std::vector<Few> result;
    for (const TileLoop::Kept& kept : loop.of_rows) {
        llvm::Value* stride = e_.row_stride(length, kept.type);
        llvm::Value* origin = ir.CreateMul(first, c_.i64(-detail::size_of(kept.type)));
        Few pointers;
        for (llvm::Value* place : e_.in_tile.place.scalars)
            pointers.push_back(
                ir.CreateInBoundsGEP(ir.getInt8Ty(), memory, ir.CreateAdd(ir.CreateMul(place, stride), origin)));
        result.push_back(pointers);
        memory = ir.CreateInBoundsGEP(ir.getInt8Ty(), memory, ir.CreateMul(rows, stride));
    }
    return result;
}

/// What has been kept for this element, by instruction; nothing for what is computed here.
Prepared Reduction::kept(const TileLoop& loop, llvm::Value* record, const std::vector<Few>& rows, const Values& indices) {
    const RegisterTile& plan = *e_.in_tile.plan;
    const Block& block = inst_.blocks[0];
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

Values Reduction::tiled(const TileLoop& loop) {
    const RegisterTile& plan = *e_.in_tile.plan;
    const auto number = static_cast<std::size_t>(&loop - plan.loops.data());
    Few carried = tiled_start();
    carried.push_back(e_.in_tile.of_columns[number]);
    const std::vector<Few> rows = kept_rows(loop, e_.in_tile.of_rows[number]);
    Values indices;
    outer_loops(rank_, indices, carried, [&] {
        llvm::Value* record = carried.pop_back_val();
        const Values sums = unpack(carried, c_.lanes.parts());
        const Prepared prepared = kept(loop, record, rows, indices);
        const Values element = e_.block(inst_.blocks[0], indices, &prepared);
        carried = pack(varying(combine(sums, element)));
        carried.push_back(ahead(ir, record, plan.record(loop)));
    });
    carried.pop_back();
    if (is_chunked()) keep_sums(carried);
    return unpack(carried, c_.lanes.parts());
}

}  // namespace sinter::emit
