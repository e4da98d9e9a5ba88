// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/card/transposed_squares.hpp"

#include "schedule/card/tuning.hpp"
#include "schedule/facts/pattern.hpp"

#include <algorithm>

namespace sinter::schedule::card {

using ir::Op;
using lower::Inst;

namespace {

/// Looks for loads that are contiguous along one axis.
class SquareFinder {
  public:
    SquareFinder(const lower::Kernel& kernel, const Facts& facts, std::size_t row_axis) : kernel_(kernel) {
        const std::size_t axes = kernel.space.size();
        std::vector<Pattern> across(axes), along(axes);
        across[row_axis] = along[axes - 1] = Pattern::lane();
        by_row_ = body_patterns(kernel, facts.control, across);
        by_column_ = body_patterns(kernel, facts.control, along);
        squares_.row_axis = row_axis;
        squares_.addresses.assign(kernel.body.insts.size(), false);
    }

    TransposedSquares operator()() {
        std::size_t local = kernel_.space.size();
        for (std::size_t k = 0; k < kernel_.body.insts.size(); ++k) {
            const Inst& inst = kernel_.body.insts[k];
            define(k, inst.types.size());
            if (is_against_grain(inst) && needs(k))
                squares_.loads.push_back({k, ir::Local(local), static_cast<std::int64_t>(detail::size_of(inst.type()))});
            local += inst.types.size();
        }
        return std::move(squares_);
    }

  private:
    void define(std::size_t inst, std::size_t results) { definitions_.insert(definitions_.end(), results, inst); }

    bool is_input(const Inst& load) const {
        const lower::Buffer& buffer = kernel_.buffers[load.bits];
        return !buffer.output && !buffer.local;
    }

    /// Points execute it in any case, so it may be a division.
    static bool is_arithmetic(const Inst& inst) {
        const bool reports = inst.op == Op::check_index || inst.op == Op::check_divisor || inst.op == Op::expect;
        return inst.blocks.empty() && !reports && inst.op != Op::print && !ir::has_effect(inst.op);
    }

    bool is_against_grain(const Inst& inst) const {
        if (inst.op != Op::load || !is_input(inst)) return false;
        const std::size_t offset = inst.operands[0].index;
        return by_row_[offset].is_neighbour() && by_column_[offset].is_apart();
    }

    /// Marks what an instruction is computed from. Returns false, and marks nothing, if it is more than arithmetic and
    /// loads.
    bool needs(std::size_t inst) {
        std::vector<bool> needed = squares_.addresses;
        std::vector<std::size_t> open{inst};
        while (!open.empty()) {
            const std::size_t k = open.back();
            open.pop_back();
            if (needed[k]) continue;
            const Inst& i = kernel_.body.insts[k];
            if (i.op == Op::load ? !is_input(i) : !is_arithmetic(i)) return false;
            needed[k] = true;
            for (ir::Local l : i.operands)
                if (l.index >= kernel_.space.size()) open.push_back(definitions_[l.index - kernel_.space.size()]);
        }
        squares_.addresses = std::move(needed);
        return true;
    }

    const lower::Kernel& kernel_;
    std::vector<Pattern> by_row_, by_column_;
    std::vector<std::size_t> definitions_;  ///< by local of the body: the instruction
    TransposedSquares squares_;
};

/// The longest edge that reads whole lines of the narrowest elements; shorter if there is no room for it.
void choose_edge(TransposedSquares& squares) {
    std::int64_t narrowest = tuning::line_bytes / tuning::least_edge;
    for (const TransposedSquares::Load& load : squares.loads) narrowest = std::min(narrowest, load.bytes);
    squares.edge = tuning::line_bytes / narrowest;
    while (squares.edge > tuning::least_edge && squares.bytes() > tuning::square_bytes) squares.edge /= 2;
}

}  // namespace

std::optional<TransposedSquares> transposed_squares(const lower::Kernel& kernel, const Facts& facts) {
    TransposedSquares best;
    if (!facts.loops.empty()) return std::nullopt;
    for (std::size_t axis = kernel.space.size(); axis-- > 1;) {
        TransposedSquares found = SquareFinder(kernel, facts, axis - 1)();
        if (found.loads.size() > best.loads.size()) best = std::move(found);
    }
    if (best.loads.empty()) return std::nullopt;
    choose_edge(best);
    return best.bytes() <= tuning::square_bytes ? std::optional(std::move(best)) : std::nullopt;
}

}  // namespace sinter::schedule::card
