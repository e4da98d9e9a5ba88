// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opt/cost.hpp"
#include "ir/walk.hpp"

#include <algorithm>

namespace sinter::opt {

using namespace ir;

bool is_expensive(Op op, Scalar type) {
    if (info(op).traits == Traits::math || op == Op::sqrt) return true;
    return (op == Op::div || op == Op::rem) && detail::is_float(type);
}

bool is_expensive(const Block& block) {
    return any_inst(block, [](const Inst& inst) {
        if (inst.op == Op::while_loop || inst.op == Op::for_loop) return true;
        return !inst.types.empty() && is_expensive(inst.op, inst.type());
    });
}

namespace {

/// Follows a function from its parameters on.
class Speculation {
  public:
    explicit Speculation(std::vector<bool> divides) : divides_(std::move(divides)) {}

    bool holds(const Block& block) {
        const std::size_t outside = divides_.size();
        divides_.resize(outside + block.params.size(), false);
        const bool all = std::all_of(block.insts.begin(), block.insts.end(), [&](const Inst& inst) {
            const bool safe = holds(inst);
            divides_.resize(divides_.size() + inst.types.size(), inst.op == Op::constant && inst.bits != 0);
            return safe;
        });
        divides_.resize(outside);
        return all;
    }

  private:
    bool holds(const Inst& inst) {
        if (inst.op == Op::while_loop || inst.types.empty()) return false;
        if (may_fail(inst.op, inst.type()) && !is_safe_division(inst)) return false;
        return std::all_of(inst.blocks.begin(), inst.blocks.end(), [&](const Block& nested) { return holds(nested); });
    }
    bool is_safe_division(const Inst& inst) const {
        return (inst.op == Op::div || inst.op == Op::rem) && divides_[inst.operands[1].index];
    }

    std::vector<bool> divides_;  ///< by local: known not to be 0
};

}  // namespace

bool is_speculative(const Block& body) { return is_speculative(body, {}); }

bool is_speculative(const Block& block, std::vector<bool> divides) { return Speculation(std::move(divides)).holds(block); }

}  // namespace sinter::opt
