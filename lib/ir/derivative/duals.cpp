// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dual numbers: each instruction is followed by those that compute its tangents, including those in loops and branches.
#include "ir/derivative/duals.hpp"

#include "ir/derivative/partials.hpp"
#include "ir/walk.hpp"

#include <algorithm>

namespace sinter::ir::derivative {

void Duals::copy(const Inst& inst) {
    if (inst.op == Op::read) return read(inst);
    if (!inst.blocks.empty()) return control(inst);
    const std::vector<Local> operands = primals(inst.operands);
    const Local result = to_.emit(Inst{inst.op, inst.types, inst.bits, operands, {}});
    std::vector<Term> tangents = none();
    if (detail::is_float(inst.type()))
        for (std::size_t k = 0; k < operands.size(); ++k) {
            const std::vector<Term> seeds = tangents_[inst.operands[k].index];
            if (std::none_of(seeds.begin(), seeds.end(), [](const Term& seed) { return seed.has_value(); })) continue;
            const Partial factor = partial(terms_, inst, operands, result, k);
            if (factor.kind == Partial::Kind::zero) continue;
            for (std::size_t d = 0; d < directions_; ++d)
                if (seeds[d]) tangents[d] = terms_.plus(tangents[d], pushed(terms_, factor, *seeds[d], inst.type()));
        }
    define(result, std::move(tangents));
}

void Duals::read(const Inst& inst) {
    Inst made{inst.op, inst.types, inst.bits, primals(inst.operands), {}};
    const Local element = to_.emit(made);
    std::vector<Term> tangents = none();
    if (slots_[inst.bits]) {
        made.bits = *slots_[inst.bits];
        tangents[0] = to_.emit(std::move(made));
    }
    define(element, std::move(tangents));
}

/// True if a tangent in this direction reaches the instruction, or something from outside that its blocks use.
bool Duals::is_varied(const Inst& inst, std::size_t direction) const {
    auto varied = [&](Local local) {
        return local.index < tangents_.size() && tangents_[local.index][direction].has_value();
    };
    if (std::any_of(inst.operands.begin(), inst.operands.end(), varied)) return true;
    bool found = false;
    for (const Block& block : inst.blocks) {
        for_each_use(block, [&](Local local) { found = found || varied(local); });
        if (direction == 0)
            found = found || any_inst(block, [&](const Inst& each) { return each.op == Op::read && slots_[each.bits]; });
    }
    return found;
}

void Duals::unvaried(const Inst& inst) {
    Block alone;
    alone.insts.push_back(inst);
    for (std::size_t k = 0; k < inst.types.size(); ++k) alone.results.push_back(Local(primal_.size() + k));
    for (Local result : inline_block(to_, alone, primal_)) define(result, none());
}

/// A block of a control operation. It has its own results, followed by the tangents of those that are varied, if they are
/// wanted. The last of its parameters are the tangents of its `states`, which are the last parameters of the old block.
Block Duals::block(const Block& old, const std::vector<Scalar>& params, std::size_t states, const Varied& varied,
                   bool with_tangents) {
    const std::size_t level = primal_.size(), before = old.params.size() - states, floats = varied.floats.size();
    const Local first = to_.open(params);
    for (std::size_t k = 0; k < old.params.size(); ++k) {
        std::vector<Term> tangents = none();
        const auto at = k < before ? varied.floats.end() : std::find(varied.floats.begin(), varied.floats.end(), k - before);
        if (at != varied.floats.end()) {
            std::size_t place = first.index + old.params.size() + static_cast<std::size_t>(at - varied.floats.begin());
            for (std::size_t d : varied.directions) tangents[d] = Local(std::exchange(place, place + floats));
        }
        define(Local(first.index + k), std::move(tangents));
    }
    copy(old.insts);
    std::vector<Local> results = primals(old.results);
    if (with_tangents)
        for (std::size_t d : varied.directions)
            for (std::size_t k : varied.floats)
                results.push_back(terms_.or_zero(tangent(old.results[k], d), to_.type(results[k])));
    forget(level);
    return to_.close(std::move(results));
}

void Duals::control(const Inst& inst) {
    Varied varied;
    for (std::size_t d = 0; d < directions_; ++d)
        if (is_varied(inst, d)) varied.directions.push_back(d);
    if (varied.directions.empty()) return unvaried(inst);
    for (std::size_t k = 0; k < inst.types.size(); ++k)
        if (detail::is_float(inst.types[k])) varied.floats.push_back(k);
    Inst made{inst.op, inst.types, inst.bits, primals(inst.operands), {}};
    const std::size_t first_state = inst.op == Op::for_loop ? 1 : 0, states = inst.op == Op::cond ? 0 : inst.types.size();
    std::vector<Scalar> types;  // of the tangents
    for (std::size_t d : varied.directions)
        for (std::size_t k : varied.floats) {
            types.push_back(inst.types[k]);
            if (states > 0)
                made.operands.push_back(terms_.or_zero(tangent(inst.operands[first_state + k], d), inst.types[k]));
        }
    made.types.insert(made.types.end(), types.begin(), types.end());
    for (const Block& each : inst.blocks) {
        std::vector<Scalar> params = each.params;
        if (states > 0) params.insert(params.end(), types.begin(), types.end());
        const bool is_condition = inst.op == Op::while_loop && &each == &inst.blocks.front();
        made.blocks.push_back(block(each, params, states, varied, !is_condition));
    }
    const Local first = to_.emit(std::move(made));
    const std::size_t level = primal_.size();
    for (std::size_t k = 0; k < inst.types.size(); ++k) define(Local(first.index + k), none());
    std::size_t next = first.index + inst.types.size();
    for (std::size_t d : varied.directions)
        for (std::size_t k : varied.floats) tangents_[level + k][d] = Local(next++);
}

}  // namespace sinter::ir::derivative
