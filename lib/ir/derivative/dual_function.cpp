// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dual numbers: each instruction is followed by one that computes its tangent, including those in loops and branches.
#include "ir/derivative/dual_function.hpp"

#include "ir/derivative/partials.hpp"
#include "ir/walk.hpp"

#include <algorithm>

namespace sinter::ir::derivative {

namespace {

class Duals {
  public:
    Duals(BlockBuilder& to, const DualPlaces& places)
        : to_(to), terms_(to), primal_(places.primal), tangents_(places.tangents), slots_(places.slots) {}

    void copy(const std::vector<Inst>& insts) {
        for (const Inst& inst : insts) copy(inst);
    }
    Local primal(Local old) const { return primal_[old.index]; }
    const Term& tangent(Local old) const { return tangents_[old.index]; }
    Terms& terms() { return terms_; }

  private:
    void define(Local local, Term tangent) {
        primal_.push_back(local);
        tangents_.push_back(tangent);
    }
    void forget(std::size_t level) {
        primal_.resize(level);
        tangents_.resize(level);
    }
    std::vector<Local> primals(const std::vector<Local>& old) const {
        std::vector<Local> locals;
        for (Local local : old) locals.push_back(primal(local));
        return locals;
    }

    void copy(const Inst& inst);
    void read(const Inst& inst);
    void branch(const Inst& inst);
    void loop(const Inst& inst);
    void control(const Inst& inst);
    bool is_varied(const Inst& inst) const;
    void unvaried(const Inst& inst);
    Block block(const Block& old, const std::vector<Scalar>& params, std::size_t states,
                const std::vector<std::size_t>& floats, bool with_tangents);

    BlockBuilder& to_;
    Terms terms_;
    std::vector<Local> primal_;
    std::vector<Term> tangents_;
    const std::vector<std::optional<std::size_t>>& slots_;
};

void Duals::copy(const Inst& inst) {
    if (inst.op == Op::read) return read(inst);
    if (!inst.blocks.empty()) return control(inst);
    const std::vector<Local> operands = primals(inst.operands);
    const Local result = to_.emit(Inst{inst.op, inst.types, inst.bits, operands, {}});
    Term tangent;
    if (detail::is_float(inst.type()))
        for (std::size_t k = 0; k < operands.size(); ++k) {
            const Term& seed = tangents_[inst.operands[k].index];
            if (!seed) continue;
            const Partial factor = partial(terms_, inst, operands, result, k);
            if (factor.kind != Partial::Kind::zero)
                tangent = terms_.plus(tangent, pushed(terms_, factor, *seed, inst.type()));
        }
    define(result, tangent);
}

void Duals::read(const Inst& inst) {
    Inst made{inst.op, inst.types, inst.bits, primals(inst.operands), {}};
    const Local element = to_.emit(made);
    Term tangent;
    if (slots_[inst.bits]) {
        made.bits = *slots_[inst.bits];
        tangent = to_.emit(std::move(made));
    }
    define(element, tangent);
}

/// True if a tangent reaches the instruction, or something from outside that its blocks use.
bool Duals::is_varied(const Inst& inst) const {
    auto varied = [&](Local local) { return local.index < tangents_.size() && tangents_[local.index].has_value(); };
    if (std::any_of(inst.operands.begin(), inst.operands.end(), varied)) return true;
    bool found = false;
    for (const Block& block : inst.blocks) {
        for_each_use(block, [&](Local local) { found = found || varied(local); });
        found = found || any_inst(block, [&](const Inst& each) { return each.op == Op::read && slots_[each.bits]; });
    }
    return found;
}

void Duals::unvaried(const Inst& inst) {
    Block alone;
    alone.insts.push_back(inst);
    for (std::size_t k = 0; k < inst.types.size(); ++k) alone.results.push_back(Local(primal_.size() + k));
    for (Local result : inline_block(to_, alone, primal_)) define(result, std::nullopt);
}

/// A block of a control operation. It has its own results, followed by the tangents of those marked in `floats`, if they are
/// wanted. The last of its parameters are the tangents of its `states`, which are the last parameters of the old block.
Block Duals::block(const Block& old, const std::vector<Scalar>& params, std::size_t states,
                   const std::vector<std::size_t>& floats, bool with_tangents) {
    const std::size_t level = primal_.size(), before = old.params.size() - states;
    const Local first = to_.open(params);
    for (std::size_t k = 0; k < old.params.size(); ++k) {
        Term tangent;
        if (k >= before)
            if (auto at = std::find(floats.begin(), floats.end(), k - before); at != floats.end())
                tangent = Local(first.index + old.params.size() + static_cast<std::size_t>(at - floats.begin()));
        define(Local(first.index + k), tangent);
    }
    copy(old.insts);
    std::vector<Local> results = primals(old.results);
    if (with_tangents)
        for (std::size_t k : floats) {
            const Local result = results[k];
            results.push_back(terms_.or_zero(tangents_[old.results[k].index], to_.type(result)));
        }
    forget(level);
    return to_.close(std::move(results));
}

void Duals::control(const Inst& inst) {
    if (!is_varied(inst)) return unvaried(inst);
    std::vector<std::size_t> floats;
    for (std::size_t k = 0; k < inst.types.size(); ++k)
        if (detail::is_float(inst.types[k])) floats.push_back(k);
    Inst made{inst.op, inst.types, inst.bits, primals(inst.operands), {}};
    for (std::size_t k : floats) made.types.push_back(inst.types[k]);
    const std::size_t first_state = inst.op == Op::for_loop ? 1 : 0, states = inst.op == Op::cond ? 0 : inst.types.size();
    if (states > 0)
        for (std::size_t k : floats)
            made.operands.push_back(terms_.or_zero(tangents_[inst.operands[first_state + k].index], inst.types[k]));
    for (const Block& each : inst.blocks) {
        std::vector<Scalar> params = each.params;
        if (states > 0)
            for (std::size_t k : floats) params.push_back(inst.types[k]);
        const bool is_condition = inst.op == Op::while_loop && &each == &inst.blocks.front();
        made.blocks.push_back(block(each, params, states, floats, !is_condition));
    }
    const Local first = to_.emit(std::move(made));
    for (std::size_t k = 0, next = inst.types.size(); k < inst.types.size(); ++k)
        define(Local(first.index + k), detail::is_float(inst.types[k]) ? Term(Local(first.index + next++)) : std::nullopt);
}

}  // namespace

Dual dual_function(const Fn& fn, const DualPlaces& places, bool all) {
    BlockBuilder builder;
    builder.open(places.params);
    Duals duals(builder, places);
    duals.copy(fn.body.insts);
    Dual made{{places.arrays, {}}, {}};
    std::vector<Local> results;
    for (Local result : fn.body.results) results.push_back(duals.primal(result));
    for (Local result : fn.body.results) {
        const Scalar type = builder.type(duals.primal(result));
        const Term& tangent = duals.tangent(result);
        made.varied.push_back(tangent || (all && detail::is_float(type)));
        if (made.varied.back()) results.push_back(duals.terms().or_zero(tangent, type));
    }
    made.fn.body = builder.close(std::move(results));
    made.fn = canonical(made.fn);
    return made;
}

}  // namespace sinter::ir::derivative
