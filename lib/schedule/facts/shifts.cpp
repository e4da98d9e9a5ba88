// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/facts/shifts.hpp"

#include <algorithm>

namespace sinter::schedule {

using ir::Op;

namespace {

/// Tells if an offset is that of an element other than the loop's own: a neighbour, or a clamped one.
class Shifts {
  public:
    bool any(const lower::Block& b, std::size_t level) {
        defined_.resize(level + b.params.size(), nullptr);
        bool found = false;
        for (const lower::Inst& inst : b.insts) {
            if (inst.op == Op::load) found |= is_shifted(inst.operands[0]);
            const std::size_t behind = defined_.size();
            for (const lower::Block& inner : inst.blocks) found |= any(inner, behind), defined_.resize(behind);
            defined_.insert(defined_.end(), inst.types.size(), &inst);
        }
        return found;
    }

  private:
    bool is_shifted(ir::Local offset) const {
        const lower::Inst* inst = defined_[offset.index];
        if (!inst) return false;
        switch (inst->op) {
            case Op::minimum:
            case Op::maximum:
            case Op::wrap:
            case Op::symmetric:
            case Op::reflect:
                return true;
            case Op::add:
            case Op::sub:
                return std::any_of(inst->operands.begin(), inst->operands.end(),
                                   [&](ir::Local l) { return is_constant(l) || is_shifted(l); });
            case Op::check_index:
                return is_shifted(inst->operands[0]);
            default:
                return false;
        }
    }
    bool is_constant(ir::Local l) const { return defined_[l.index] && defined_[l.index]->op == Op::constant; }

    std::vector<const lower::Inst*> defined_;  ///< by local; null for a parameter
};

}  // namespace

bool reads_shifted(const lower::Block& body) { return Shifts().any(body, 0); }

}  // namespace sinter::schedule
