// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/squares.hpp"

#include "jit/emit/emitter.hpp"

#include <algorithm>

namespace sinter::emit {

using ir::Op;

namespace {

constexpr std::size_t most_instructions = 32;
constexpr int most_rows = 16, least_rows = 4, line_bytes = 64;

bool is_allowed(const lower::Kernel& kernel, const Inst& inst) {
    if (inst.op == Op::store) return !kernel.buffers[inst.bits].dest && !kernel.buffers[inst.bits].local;
    if (inst.op == Op::load || inst.op == Op::size || inst.op == Op::constant) return true;
    return inst.blocks.empty() && ir::is_pure(inst.op, inst.type());
}

/// An index that is another one only within the borders: there, neighbours do not lie side by side.
bool is_bordered(Op op) { return op == Op::minimum || op == Op::maximum || ir::is_continuation(op); }

bool is_neighbour(const Pattern& offset) { return offset.kind == Pattern::Kind::affine && offset.number == 1; }

bool is_value(const Pattern& pattern) { return pattern.kind != Pattern::Kind::affine; }

bool is_apart(const Pattern& offset) {
    if (offset.kind != Pattern::Kind::affine) return false;
    return !offset.number || *offset.number > 1 || *offset.number < -1;
}

}  // namespace

std::optional<Squares> squares(const Machine& machine, const lower::Kernel& kernel) {
    const std::vector<Inst>& insts = kernel.body.insts;
    const std::size_t axes = kernel.space.size();
    if (machine.vector_bits == 0 || axes < 2 || insts.size() > most_instructions) return std::nullopt;
    if (!std::all_of(insts.begin(), insts.end(), [&](const Inst& inst) { return is_allowed(kernel, inst); }))
        return std::nullopt;
    std::vector<Pattern> across(axes), along(axes);
    across[axes - 2] = along[axes - 1] = Pattern::lane();
    Squares result;
    result.width = choose_lanes(machine, profile(kernel, kernel.body, {}, along), 0).width;
    result.rows = std::min(most_rows, result.width);
    const std::vector<Pattern> by_row = body_patterns(kernel, across), by_lane = body_patterns(kernel, along);
    std::size_t local = axes;
    for (const Inst& inst : insts) {
        const std::size_t offset = inst.operands.empty() ? 0 : inst.operands[0].index, own = local;
        local += inst.types.size();
        if (is_bordered(inst.op) && !(is_value(by_row[own]) && is_value(by_lane[own]))) return std::nullopt;
        if (inst.op == Op::store && !is_neighbour(by_lane[offset])) return std::nullopt;
        if (inst.op != Op::load || !is_neighbour(by_row[offset]) || !is_apart(by_lane[offset])) continue;
        result.loads.push_back(&inst);
        result.rows = std::min(result.rows, line_bytes / detail::size_of(inst.type()));
    }
    const bool whole = result.rows >= least_rows && result.width % result.rows == 0;
    return whole && !result.loads.empty() ? std::optional(result) : std::nullopt;
}

/// A row of points for every scalar of the rows' index; lanes are open.
void Emitter::square(const Values& outer, llvm::Value* row, llvm::Value* column, const Squares& squares) {
    Lanes lanes;
    lanes.width = squares.width;
    lanes.rows = squares.rows;
    lanes.open = true;
    const WithLanes with(code_, lanes);
    Values params = outer;
    params.push_back(index(row));
    for (int r = 1; r < squares.rows; ++r) params.back().scalars.push_back(ir.CreateAdd(row, code_.i64(r)));
    params.push_back(index(column));
    params.back().lane_stride = code_.i64(1);
    params.back().part_stride = code_.i64(squares.width);
    against_grain_.insert(squares.loads.begin(), squares.loads.end());
    block(kernel_.body, params);
    against_grain_.clear();
}

/// The points [begin, end) x [lo, hi) of the two inner axes, in squares; the last ones overlap those before them. Nothing is
/// lost by that: points of a map are stored again as they are.
void Emitter::in_squares(const Values& outer, llvm::Value* begin, llvm::Value* end, llvm::Value* lo, llvm::Value* hi,
                         const Squares& squares) {
    Few none;
    llvm::Value* last_row = code_.sub(end, code_.i64(squares.rows));
    llvm::Value* last_column = code_.sub(hi, code_.i64(squares.width));
    code_.loop(lo, hi, squares.width, none, [&](llvm::Value* j) {
        llvm::Value* column = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, j, last_column);
        code_.loop(begin, end, squares.rows, none, [&](llvm::Value* i) {
            square(outer, ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, i, last_row), column, squares);
        });
    });
}

}  // namespace sinter::emit
