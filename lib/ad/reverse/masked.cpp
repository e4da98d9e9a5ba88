// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ad/reverse/masked.hpp"

#include "ad/reverse/additive.hpp"

#include <algorithm>

namespace sinter::ad {

using namespace ir;

namespace {

/// Which locals of a function are masked: the constant 0, and what is it at some points because an operand is.
class MaskedLocals {
  public:
    MaskedLocals(Flags params, Flags slots) : flags_(std::move(params)), slots_(std::move(slots)) {}

    Flags results(const Block& block) {
        for (const Inst& inst : block.insts) {
            Flags made = inst.op == Op::cond ? branch(inst) : Flags(inst.types.size(), masked(inst));
            flags_.insert(flags_.end(), made.begin(), made.end());
        }
        Flags made;
        for (Local result : block.results) made.push_back(flags_[result.index]);
        return made;
    }

  private:
    Flags branch(const Inst& inst) {
        const std::size_t level = flags_.size();
        Flags made(inst.types.size());
        for (const Block& side : inst.blocks) {
            const Flags more = results(side);
            for (std::size_t k = 0; k < made.size(); ++k) made[k] = made[k] || more[k];
            flags_.resize(level);
        }
        return made;
    }
    bool masked(const Inst& inst) const {
        auto operand = [&](std::size_t k) { return static_cast<bool>(flags_[inst.operands[k].index]); };
        switch (inst.op) {
            case Op::constant:
                return detail::is_float(inst.type()) && inst.bits == 0;
            case Op::read:
                return slots_[inst.bits];
            case Op::select:
                return operand(1) || operand(2);
            case Op::add:
            case Op::sub:
                return operand(0) && operand(1);
            case Op::div:
                return operand(0);
            case Op::for_loop:
            case Op::while_loop:
                return true;
            default:
                return std::any_of(inst.operands.begin(), inst.operands.end(),
                                   [&](Local each) { return flags_[each.index]; });
        }
    }

    Flags flags_, slots_;
};

}  // namespace

Flags Masked::operator()(const std::vector<ValueId>& ids) const {
    Flags flags;
    for (ValueId id : ids) flags.push_back((*this)(id));
    return flags;
}

void Masked::forget(std::size_t level) {
    if (flags_.size() > level) flags_.resize(level);
    if (nonzero_.size() > level) nonzero_.resize(level);
}

void Masked::set(ValueId id, bool masked) {
    if (flags_.size() <= id.index) flags_.resize(id.index + 1);
    flags_[id.index] = masked;
}

void Masked::define(std::size_t level, const Flags& flags) {
    forget(level);
    flags_.resize(level);
    flags_.insert(flags_.end(), flags.begin(), flags.end());
}

void Masked::see_adjoint(const Binding& binding, std::size_t level) { define(level, flags_of(binding)); }

void Masked::see_primal(const Binding& binding, std::size_t level) {
    define(level, Flags(binding.types.size()));
    bool nonzero = false;
    if (const auto* map = std::get_if<Map>(&binding.op); map && map->fn.body.insts.size() == 1) {
        const Inst& inst = map->fn.body.insts[0];
        nonzero = inst.op == Op::constant && detail::is_float(inst.type()) && inst.bits != 0 &&
                  map->fn.body.results[0].index == map->fn.body.params.size();
    }
    if (const auto* view = std::get_if<View>(&binding.op); view && !view->fill)
        nonzero = view->arg.index < nonzero_.size() && nonzero_[view->arg.index];
    if (!nonzero) return;
    nonzero_.resize(level);
    nonzero_.push_back(true);
}

Flags Masked::flags_of(const Binding& binding) const {
    const std::size_t count = binding.types.size();
    if (auto* map = std::get_if<Map>(&binding.op)) {
        Flags params(map->fn.body.params.size() - map->args.size() - map->captures.scalars.size());
        for (ValueId id : map->args) params.push_back((*this)(id));
        for (ValueId id : map->captures.scalars) params.push_back((*this)(id));
        return MaskedLocals(std::move(params), (*this)(map->captures.arrays)).results(map->fn.body);
    }
    if (auto* fold = std::get_if<Fold>(&binding.op); fold && is_additive(fold->op, count)) return (*this)(fold->args);
    // What other destinations hold is 0 where nothing is added.
    if (auto* scatter = std::get_if<Scatter>(&binding.op); scatter && scatter->op && is_additive(*scatter->op, count))
        return (*this)(scatter->dests);
    if (bodies_of(binding.op) != nullptr) return Flags(count, true);
    return Flags(count, any((*this)(operands(binding.op))));
}

}  // namespace sinter::ad
