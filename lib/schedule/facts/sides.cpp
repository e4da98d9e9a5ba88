// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/facts/sides.hpp"

#include "ir/sizes/linear.hpp"
#include "schedule/tuning.hpp"

#include <cstdlib>
#include <set>
#include <utility>

namespace sinter::schedule {

using ir::LinearForm;
using ir::MaybeForm;
using ir::Op;
using lower::Inst;

namespace {

constexpr ir::Term lane{ir::Term::Kind::axis, 0};

/// Follows the indices of a body as linear forms of the innermost axis' index, of sizes, and of other indices.
class SideWalk {
  public:
    explicit SideWalk(const lower::Kernel& kernel)
        : kernel_(kernel), sizes_(kernel.sizes, [this](ir::ValueId) -> const ir::Type& { return unknown_; }) {}

    Sides run() {
        const std::size_t axes = kernel_.space.size();
        if (axes == 0) return {};
        extent_ = sizes_.of(kernel_.space.back());
        for (std::size_t axis = axes; axis-- > 0;)
            locals_.push_back(LinearForm{{{{ir::Term::Kind::axis, axis}, 1}}, 0});  // the innermost is axis 0 here
        for (const Inst& inst : kernel_.body.insts) {
            note(inst);
            locals_.push_back(inst.types.size() == 1 && inst.type() == lower::Scalar::i64 ? index(inst) : std::nullopt);
            if (inst.types.size() != 1) locals_.resize(locals_.size() - 1 + inst.types.size());
        }
        if (places_.size() > tuning::most_places)
            for (auto& [inst, side] : sides_found_) side = Side::mixed;
        return std::move(sides_found_);
    }

  private:
    const MaybeForm& operand(const Inst& inst, std::size_t k) const { return locals_[inst.operands[k].index]; }

    /// How often the lane's index counts in a form; 0 if nothing is known.
    static std::int64_t slope(const MaybeForm& form) {
        if (!form) return 0;
        const auto found = form->factors.find(lane);
        return found == form->factors.end() ? 0 : found->second;
    }

    MaybeForm index(const Inst& inst) {
        switch (inst.op) {
            case Op::constant:
                return combine(LinearForm{}, 1, LinearForm{{}, static_cast<std::int64_t>(inst.bits)});
            case Op::size:
                return sizes_.of(ir::SizeId(inst.bits));
            case Op::add:
                return combine(operand(inst, 0), 1, operand(inst, 1));
            case Op::sub:
                return combine(operand(inst, 0), -1, operand(inst, 1));
            case Op::mul:
                return product(operand(inst, 0), operand(inst, 1));
            default:
                return std::nullopt;
        }
    }

    void note(const Inst& inst) {
        if ((!ir::is_comparison(inst.op) && inst.op != Op::inside) || inst.operands.size() != 2) return;
        const std::int64_t a = slope(operand(inst, 0)), b = slope(operand(inst, 1));
        if (a + b != 1 || a * b != 0) return;
        const MaybeForm &index = operand(inst, a == 1 ? 0 : 1), &bound = operand(inst, a == 1 ? 1 : 0);
        // What an index reaches is counted from index + rest = 0.
        const Side last = side(combine(bound, -1, index));
        if (inst.op != Op::inside) {
            sides_found_.emplace(&inst, last);
            const MaybeForm place = combine(bound, -1, index);
            if (last != Side::mixed && inst.op == Op::equal) places_.insert(place->constant);
        } else if (a == 1) {
            sides_found_.emplace(&inst, of_inside(side(combine(LinearForm{}, -1, index)), last));
        }
    }

    static Side of_inside(Side first, Side last) {
        if (first == Side::before || last == Side::behind) return first == Side::before ? first : last;
        return first == Side::behind && last == Side::before ? Side::between : Side::mixed;
    }

    /// Where most indices are, relative to the one at which bound - index, which contains the index itself, is zero.
    Side side(const MaybeForm& difference) const {
        const MaybeForm turn = combine(difference, 1, LinearForm{{{lane, 1}}, 0});
        if (is_small(turn)) return Side::behind;
        return is_small(combine(turn, -1, extent_)) ? Side::before : Side::mixed;
    }

    static bool is_small(const MaybeForm& form) {
        return form && form->is_constant() && std::abs(form->constant) <= tuning::widest_border;
    }

    const lower::Kernel& kernel_;
    const ir::Type unknown_{};  ///< sizes of kernels do not refer to variables
    ir::LinearForms sizes_;
    LinearForm extent_;
    std::vector<MaybeForm> locals_;
    Sides sides_found_;
    std::set<std::int64_t> places_;  ///< with which indices are compared for equality, from the end that is near
};

}  // namespace

Sides sides_of(const lower::Kernel& kernel) { return SideWalk(kernel).run(); }

}  // namespace sinter::schedule
