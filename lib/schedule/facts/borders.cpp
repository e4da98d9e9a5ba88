// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/facts/borders.hpp"

#include "ir/walk.hpp"
#include "schedule/tuning.hpp"

#include <algorithm>

namespace sinter::schedule {

using ir::Op;
using lower::Block;
using lower::Inst;

namespace {

/// Tells whether a block composes pieces, as those of concat and rotate: control flow depends on a few comparisons of the
/// lane's index, and not only on those that keep it inside an array.
class Composition {
  public:
    /// `locals` are the patterns around the block and of all its locals, the first of which is number `first`.
    Composition(const std::vector<Pattern>& locals, std::size_t first, const Sides& sides)
        : locals_(locals), first_(first), sides_(sides), turns_(locals.size(), false) {}

    bool of_pieces(const Block& b) {
        std::size_t result = first_ + b.params.size(), count = 0;
        bool compares = false, branches = false, is_mixed = false;
        for (const Inst& inst : b.insts) {
            if (inst.op != Op::inside && meets_border(inst)) return false;
            const bool turn = is_turn(inst), some = any_turn(inst);
            const bool logic = inst.op == Op::bit_and || inst.op == Op::bit_or || inst.op == Op::bit_not;
            count += turn;
            is_mixed |= turn && side(inst) == Side::mixed;
            compares |= turn && inst.op != Op::inside;
            branches |= inst.op == Op::cond && some;
            for (std::size_t k = 0; k < inst.types.size(); ++k) turns_[result++] = turn || (logic && some);
        }
        return compares && branches && is_mixed && count <= tuning::most_turns;
    }

  private:
    const Pattern& operand(const Inst& inst, std::size_t k) const { return locals_[inst.operands[k].index]; }

    Side side(const Inst& inst) const {
        const auto found = sides_.find(&inst);
        return found == sides_.end() ? Side::mixed : found->second;
    }

    bool any_turn(const Inst& inst) const {
        return std::any_of(inst.operands.begin(), inst.operands.end(), [&](ir::Local l) { return turns_[l.index]; });
    }

    /// True if one operand grows by one from lane to lane, and the other is the same in all.
    bool compares_lane(const Inst& inst) const {
        if (inst.operands.size() != 2) return false;
        const bool first = operand(inst, 0).kind == Pattern::Kind::affine;
        return operand(inst, first ? 0 : 1) == Pattern::lane() && operand(inst, first ? 1 : 0).is_uniform();
    }

    /// A clamp or check of the lane's index, which does nothing in the interior.
    bool meets_border(const Inst& inst) const {
        const bool checks = inst.op == Op::check_index || ir::is_continuation(inst.op);
        if (inst.op != Op::minimum && inst.op != Op::maximum && !checks) return false;
        if (inst.type() != lower::Scalar::i64 || !compares_lane(inst)) return false;
        return !checks || operand(inst, 0).kind == Pattern::Kind::affine;
    }

    bool is_turn(const Inst& inst) const {
        if (!ir::is_comparison(inst.op) && inst.op != Op::inside) return false;
        return compares_lane(inst) && (inst.op != Op::inside || operand(inst, 0).kind == Pattern::Kind::affine);
    }

    const std::vector<Pattern>& locals_;
    std::size_t first_;
    const Sides& sides_;
    std::vector<bool> turns_;  ///< by local: a comparison of the lane's index, or computed of such
};

/// True if executing the block twice for an index has the same effect as executing it once.
bool is_repeatable(const lower::Kernel& kernel, const Block& b) {
    auto loads = [&](std::uint64_t buffer) {
        return ir::any_inst(b, [&](const Inst& inst) { return inst.op == Op::load && inst.bits == buffer; });
    };
    return !ir::any_inst(b, [&](const Inst& inst) {
        if (inst.op == Op::update || inst.op == Op::compact) return true;
        if (inst.op != Op::store) return false;
        const lower::Buffer& to = kernel.buffers[inst.bits];
        return to.dest.has_value() || to.takes.has_value() || loads(inst.bits);
    });
}

}  // namespace

Borders borders_of(const lower::Kernel& kernel, const ControlFlow& control, const Block& block,
                   const std::vector<Pattern>& environment, const std::vector<Pattern>& params, const Sides& sides) {
    const std::vector<Pattern> locals = block_patterns(kernel, control, block, environment, params);
    if (Composition(locals, environment.size(), sides).of_pieces(block)) return Borders::pieces;
    return is_repeatable(kernel, block) ? Borders::overlapping : Borders::masked;
}

}  // namespace sinter::schedule
