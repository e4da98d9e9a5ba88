// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/compose/bounded_folds.hpp"

#include "lower/loops.hpp"

#include <algorithm>
#include <vector>

namespace sinter::lower {

using ir::Op;

namespace {

bool folds_floats(const Inst& inst) {
    return (inst.op == Op::reduce || inst.op == Op::scan) &&
           std::any_of(inst.types.begin(), inst.types.end(), [](Scalar scalar) { return detail::is_float(scalar); });
}

/// Locals are numbered by level: those of the block around a loop come before the loop's indices.
class Walk {
  public:
    bool is_bounded(const Block& block) {
        const std::size_t level = moves_.size();
        for (std::size_t k = 0; k < block.params.size(); ++k) moves_.push_back(false);
        const bool result = std::all_of(block.insts.begin(), block.insts.end(), [&](const Inst& inst) {
            const bool good =
                (!folds_floats(inst) || loads_along(inst)) &&
                std::all_of(inst.blocks.begin(), inst.blocks.end(), [&](const Block& b) { return is_bounded(b); });
            moves_.resize(moves_.size() + inst.types.size(), false);
            return good;
        });
        moves_.resize(level);
        return result;
    }

  private:
    /// Loads at the loop's indices, or at sums and products of them.
    bool loads_along(const Inst& loop) {
        const std::size_t level = moves_.size();
        const Block& body = loop.blocks[0];
        for (std::size_t k = 0; k < body.params.size(); ++k) moves_.push_back(k < loop_rank(loop));
        const bool result = std::any_of(body.insts.begin(), body.insts.end(), [&](const Inst& inst) {
            const auto moves = [&](Local local) { return moves_[local.index]; };
            const bool moving = std::any_of(inst.operands.begin(), inst.operands.end(), moves);
            const bool keeps = inst.op == Op::add || inst.op == Op::sub || inst.op == Op::mul;
            moves_.resize(moves_.size() + inst.types.size(), moving && keeps);
            return inst.op == Op::load && moving;
        });
        moves_.resize(level);
        return result;
    }

    std::vector<bool> moves_;  ///< by local in scope
};

}  // namespace

bool has_bounded_folds(const Kernel& kernel) { return Walk().is_bounded(kernel.body); }

}  // namespace sinter::lower
