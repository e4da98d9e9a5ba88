// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emit/team/elements.hpp"

#include "lower/loops.hpp"

#include <bit>

namespace sinter::gpu {

Elements::Elements(Point& point, const Inst& loop)
    : point_(point), c_(point.code), ir(point.code.ir), loop_(loop), rank_(lower::loop_rank(loop)) {}

Range Elements::all() {
    llvm::Value* count = c_.i64(1);
    for (std::size_t k = 0; k < rank_; ++k)
        count = ir.CreateMul(count, ir.CreateBinaryIntrinsic(llvm::Intrinsic::smax, extent(k), c_.i64(0)));
    return {c_.i64(0), count};
}

Range Elements::own() {
    const Range range = all();
    const Chunk& chunk = point_.chunk;
    if (!chunk.is_of(loop_)) return range;
    llvm::Value* lo = ir.CreateMul(chunk.index, ir.CreateAnd(chunk.length, c_.i64(-card::tuning::chunk_multiple)));
    return {lo, ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, ir.CreateAdd(lo, chunk.length), range.hi)};
}

Values Elements::execute(const lower::Block& block, const Values& parameters, llvm::Value* flat) {
    point_.element = flat;
    Values results = point_.emitter.block(block, parameters);
    point_.element = nullptr;
    return results;
}

Values Elements::operator()(llvm::Value* flat) {
    Values indices(rank_);
    llvm::Value* rest = flat;
    for (std::size_t k = rank_; k-- > 1;) {
        llvm::Value* along = extent(k);
        indices[k] = emit::Value::index(ir.CreateURem(rest, along));
        rest = ir.CreateUDiv(rest, along);
    }
    if (rank_ > 0) indices[0] = emit::Value::index(rest);
    return execute(loop_.blocks[0], indices, flat);
}

void Elements::each(Range range, card::Order order, Few& carried, Body body) {
    if (order == card::Order::kept)
        consecutive(range, carried, body);
    else
        strided(range, order == card::Order::by_groups, carried, body);
}

/// Takes groups of neighbours, so that accesses become wide or at least do not wait for each other; then the remaining
/// elements.
void Elements::strided(Range range, bool grouped, Few& carried, Body body) {
    Team& team = *point_.team;
    llvm::Value* rest = range.lo;
    if (grouped) {
        constexpr std::int64_t group_elements = card::tuning::group_elements;
        llvm::Value* groups =
            ir.CreateAShr(ir.CreateSub(range.hi, range.lo), std::countr_zero(std::uint64_t{group_elements}));
        c_.loop(team.rank(), groups, team.threads(), carried, [&](llvm::Value* group) {
            llvm::Value* first = ir.CreateAdd(range.lo, ir.CreateNSWMul(group, c_.i64(group_elements)));
            for (std::int64_t k = 0; k < group_elements; ++k) body(ir.CreateNSWAdd(first, c_.i64(k)));
        });
        rest = ir.CreateAdd(rest, ir.CreateMul(groups, c_.i64(group_elements)));
    }
    c_.loop(ir.CreateAdd(rest, team.rank()), range.hi, team.threads(), carried, body);
}

void Elements::consecutive(Range range, Few& carried, Body body) {
    Team& team = *point_.team;
    llvm::Value* length = ir.CreateSub(range.hi, range.lo);
    llvm::Value* each = ir.CreateSDiv(ir.CreateAdd(length, c_.i64(team.threads() - 1)), c_.i64(team.threads()));
    auto not_beyond = [&](llvm::Value* v) { return ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, v, range.hi); };
    llvm::Value* lo = not_beyond(ir.CreateAdd(range.lo, ir.CreateMul(team.rank(), each)));
    c_.loop(lo, not_beyond(ir.CreateAdd(lo, each)), 1, carried, body);
}

}  // namespace sinter::gpu
