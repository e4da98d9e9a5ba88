// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/facts/row_borders.hpp"

#include "schedule/tuning.hpp"

#include <algorithm>

namespace sinter::schedule {

using ir::Op;
using lower::Inst;

namespace {

class Finder {
  public:
    explicit Finder(const lower::Kernel& kernel) : kernel_(kernel), locals_(kernel.space.size(), Kind::index) {
        if (!locals_.empty()) locals_.back() = Kind::other;
        bordered_.resize(locals_.size());
    }

    RowBorders run() {
        for (const Inst& inst : kernel_.body.insts) {
            const Kind kind = kind_of(inst);
            bool bordered = false;
            for (ir::Local operand : inst.operands) bordered = bordered || bordered_[operand.index];
            if (kind != Kind::other && is_border(inst)) {
                chained_ = chained_ + bordered;
                bordered = true;
            }
            result_.computes_index.push_back(kind != Kind::other);
            locals_.insert(locals_.end(), inst.types.size(), inst.op == Op::inside ? Kind::other : kind);
            bordered_.insert(bordered_.end(), inst.types.size(), kind != Kind::other && bordered);
        }
        return chained_ < tuning::least_chained_borders ? RowBorders{} : std::move(result_);
    }

  private:
    enum class Kind { number, index, other };

    /// Whether the instruction computes a number that is the same for all points, or an index of outer axes.
    Kind kind_of(const Inst& inst) const {
        switch (inst.op) {
            case Op::size:
                return Kind::number;
            case Op::constant:
                return inst.type() == lower::Scalar::i64 ? Kind::number : Kind::other;
            case Op::minimum:
            case Op::maximum:
            case Op::add:
            case Op::sub:
            case Op::mul:
            case Op::negate:
                if (inst.type() != lower::Scalar::i64) return Kind::other;
                break;
            case Op::wrap:
            case Op::symmetric:
            case Op::reflect:
            case Op::inside:
                break;
            default:
                return Kind::other;
        }
        Kind kind = Kind::number;
        for (ir::Local operand : inst.operands) kind = std::max(kind, locals_[operand.index]);
        return kind;
    }

    bool is_border(const Inst& inst) {
        const bool bounds = inst.op == Op::minimum || inst.op == Op::maximum;
        if (!bounds && inst.op != Op::inside && !ir::is_continuation(inst.op)) return false;
        const bool first = locals_[inst.operands[0].index] == Kind::index;
        if (locals_[inst.operands[first ? 1 : 0].index] != Kind::number || (!first && !bounds)) return false;
        if (locals_[inst.operands[first ? 0 : 1].index] != Kind::index) return false;
        result_.borders.push_back({&inst, first ? std::size_t{0} : 1});
        return true;
    }

    const lower::Kernel& kernel_;
    std::vector<Kind> locals_;
    std::vector<bool> bordered_;  ///< by local: an index that was kept inside
    std::size_t chained_ = 0;
    RowBorders result_;
};

}  // namespace

RowBorders row_borders(const lower::Kernel& kernel) {
    if (kernel.space.size() < 2 || kernel.body.insts.size() > tuning::most_instructions_of_inner_rows) return {};
    return Finder(kernel).run();
}

}  // namespace sinter::schedule
