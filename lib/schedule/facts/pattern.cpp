// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/facts/pattern.hpp"

#include "ir/evaluate.hpp"
#include "lower/locals.hpp"
#include "lower/loops.hpp"
#include "schedule/facts/scalar_work.hpp"
#include "schedule/tuning.hpp"
#include "schedule/ways/shared_update.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace sinter::schedule {

using ir::Op;
using ir::Scalar;
using lower::Block;
using lower::Inst;
using Patterns = std::vector<Pattern>;
using Kind = Pattern::Kind;

namespace {

class PatternWalk {
  public:
    PatternWalk(const lower::Kernel& kernel, const ControlFlow& control, Patterns environment)
        : kernel_(kernel), control_(control), env_(std::move(environment)) {}
    Profile profile;

    Patterns block(const Block& b, const Patterns& params) {
        const std::size_t base = env_.size();
        push(params, b.params);
        for (const Inst& inst : b.insts) push(execute(inst), inst.types);
        Patterns results;
        for (ir::Local r : b.results) results.push_back(env_[r.index]);
        env_.resize(base);
        return results;
    }

    /// The patterns of all locals of `b` itself, parameters first.
    Patterns locals(const Block& b, const Patterns& params) {
        push(params, b.params);
        for (const Inst& inst : b.insts) push(execute(inst), inst.types);
        return env_;
    }

  private:
    void push(const Patterns& patterns, const std::vector<Scalar>& types) {
        for (std::size_t k = 0; k < patterns.size(); ++k) {
            env_.push_back(patterns[k]);
            env_.back().type = types[k];
        }
    }

    Patterns execute(const Inst& inst) {
        if (!inst.blocks.empty()) return control(inst);
        switch (inst.op) {
            case Op::constant:
                return {{Kind::uniform, ir::to_int64(inst.type(), inst.bits)}};
            case Op::size:
                return {Pattern{}};
            case Op::load:
                return {load(inst)};
            case Op::store:
                return store(inst), Patterns{};
            case Op::check_index:
                if (operand(inst, 0).is_uniform()) shared(inst);
                return {operand(inst, 0)};  // what it is but at the borders
            case Op::wrap:
            case Op::symmetric:
            case Op::reflect:
                return {operand(inst, 1).is_uniform() ? operand(inst, 0) : pure(inst)};
            case Op::minimum:
            case Op::maximum:
                return {clamped(inst)};
            default:
                return {pure(inst)};
        }
    }

    Patterns control(const Inst& inst) {
        switch (inst.op) {
            case Op::cond:
                return cond(inst);
            case Op::while_loop:
                return while_loop(inst);
            case Op::for_loop:
                return for_loop(inst);
            case Op::reduce:
                return reduce(inst);
            case Op::scan:
                return scan(inst);
            case Op::compact:
                return compact(inst);
            case Op::update:
                return update(inst);
            default:
                return for_each(inst);
        }
    }

    const Pattern& operand(const Inst& inst, std::size_t k) const { return env_[inst.operands[k].index]; }

    Pattern pure(const Inst& inst) {
        bool uniform = true;
        for (ir::Local l : inst.operands) uniform = uniform && env_[l.index].is_uniform();
        if (uniform) return shared(inst);
        if (inst.type() == Scalar::i64) {
            if (auto affine = index_arithmetic(inst); affine.kind == Kind::affine) return affine;
        }
        count_arithmetic(inst);
        return Pattern::varying();
    }

    Pattern shared(const Inst& inst) {
        if (inside_) profile.shared += weight_ * scalar_instructions(inst, is_number(inst.operands.back()));
        return {};
    }

    bool is_number(ir::Local l) const { return env_[l.index].number.has_value(); }

    /// An index that is clamped has the pattern of the index away from the borders.
    Pattern clamped(const Inst& inst) {
        const Pattern &a = operand(inst, 0), &b = operand(inst, 1);
        if (a.kind == Kind::affine && b.is_uniform()) return a;
        if (b.kind == Kind::affine && a.is_uniform()) return b;
        return pure(inst);
    }

    /// Affine if the operation preserves that property of its operands.
    Pattern index_arithmetic(const Inst& inst) const {
        const Pattern& a = operand(inst, 0);
        const Pattern b = inst.operands.size() > 1 ? operand(inst, 1) : Pattern{};
        if (a.kind == Kind::varying || b.kind == Kind::varying) return Pattern::varying();
        const bool both = !a.is_uniform() && !b.is_uniform();
        auto times = [](const Pattern& x, std::optional<std::int64_t> factor) {
            return Pattern{Kind::affine, x.number && factor ? std::optional(*x.number * *factor) : std::nullopt};
        };
        auto plus = [&](const Pattern& x, const Pattern& y) {
            return Pattern{Kind::affine, x.number && y.number ? std::optional(*x.number + *y.number) : std::nullopt};
        };
        switch (inst.op) {
            case Op::negate:
                return times(a, -1);
            case Op::add:
                return both ? plus(a, b) : a.is_uniform() ? b : a;
            case Op::sub:
                return both ? plus(a, times(b, -1)) : a.is_uniform() ? times(b, -1) : a;
            case Op::mul:
                if (both) return Pattern::varying();
                return a.is_uniform() ? times(b, a.number) : times(a, b.number);
            default:
                return Pattern::varying();
        }
    }

    void count(Scalar type) {
        profile.empty = false;
        profile.operations[std::countr_zero(static_cast<unsigned>(detail::size_of(type)))] += weight_;
        if (!inside_) profile.once += weight_;
    }

    void count_arithmetic(const Inst& inst) {
        const Scalar operand = env_[inst.operands.back().index].type;
        count(inst.type() == Scalar::boolean ? operand : inst.type());
        if (inst.op != Op::div && inst.op != Op::rem && inst.op != Op::sqrt) return;
        profile.expensive += weight_;
        if (!inside_) profile.expensive_once += weight_;
    }

    Pattern load(const Inst& inst) {
        const Pattern& offset = operand(inst, 0);
        if (offset.is_uniform()) {
            if (inside_) profile.uniform_loads += weight_;
            return {};
        }
        count(inst.type());
        const bool contiguous = is_contiguous(offset), interleaved = is_interleaved(offset);
        // As many loads as the lanes are apart, and a shuffle for each load after the first.
        for (std::int64_t k = 1; interleaved && k < *offset.number; ++k) count(inst.type()), count(inst.type());
        (contiguous || interleaved ? profile.contiguous : profile.gathers) += weight_;
        if (contiguous && inside_) profile.streamed += weight_;
        if (!contiguous && !interleaved && offset.kind == Kind::affine) profile.strided += weight_;
        return Pattern::varying();
    }

    void store(const Inst& inst) {
        const Pattern& offset = operand(inst, 0);
        const Scalar type = kernel_.buffers[inst.bits].scalar;
        count(type);
        (is_contiguous(offset) ? profile.stores : profile.scatters) += weight_;
        profile.narrow_stores |= is_contiguous(offset) && detail::size_of(type) < 4;
    }

    static bool is_contiguous(const Pattern& offset) {
        return offset.kind == Kind::affine && offset.number && (*offset.number == 1 || *offset.number == -1);
    }

    static bool is_interleaved(const Pattern& offset) {
        return offset.kind == Kind::affine && offset.number && *offset.number > 1 &&
               *offset.number <= tuning::most_interleaved;
    }

    States states_of(const Inst& inst) const {
        return schedule::states_of(control_.at(&inst), [&](ir::Local l) { return !env_[l.index].is_uniform(); });
    }

    static Patterns patterns_of(const States& states) {
        Patterns result;
        for (const bool varies : states.vary) result.push_back(varies ? Pattern::varying() : Pattern{});
        return result;
    }

    Patterns cond(const Inst& inst) {
        const States states = states_of(inst);
        profile.divergent |= states.diverge;
        block(inst.blocks[0], {});
        block(inst.blocks[1], {});
        return patterns_of(states);
    }

    /// Counts what `step` executes for each of a loop's iterations.
    template <class Step>
    void iterate(Step step) {
        profile.inner += weight_;
        weight_ *= tuning::inner_iterations;
        const bool was_inside = std::exchange(inside_, true);
        step();
        inside_ = was_inside;
        weight_ /= tuning::inner_iterations;
    }

    /// The results of a loop with these states: lanes that end at different times have different ones.
    Patterns results_of(States states) {
        profile.divergent |= states.diverge;
        if (states.diverge) states.vary.assign(states.vary.size(), true);
        return patterns_of(states);
    }

    Patterns while_loop(const Inst& inst) {
        const States states = states_of(inst);
        iterate([&] { block(inst.blocks[0], patterns_of(states)), block(inst.blocks[1], patterns_of(states)); });
        return results_of(states);
    }

    Patterns for_loop(const Inst& inst) {
        const States states = states_of(inst);
        profile.waits |= waits_for_division(inst.blocks[0], env_.size());
        iterate([&] { block(inst.blocks[0], both({Pattern{}}, patterns_of(states))); });
        return results_of(states);
    }

    /// Whether a step waits for the division, or the root, of what the step before has left; a division by a known number is
    /// none. `level`: that of the loop's counter. What is in branches does not count, and what comes out of them depends on
    /// that step.
    bool waits_for_division(const Block& body, std::size_t level) const {
        std::vector<bool> depends(body.params.size(), true), known(body.params.size(), false);
        depends[0] = false;
        for (const Inst& inst : body.insts) {
            const auto on_state = [&](ir::Local l) { return l.index >= level && depends[l.index - level]; };
            const auto is_known = [&](ir::Local l) { return l.index < level ? is_number(l) : known[l.index - level]; };
            const bool divides = (inst.op == Op::div || inst.op == Op::rem) && !is_known(inst.operands[1]);
            const bool any = std::any_of(inst.operands.begin(), inst.operands.end(), on_state);
            if (any && (divides || inst.op == Op::sqrt)) return true;
            depends.insert(depends.end(), inst.types.size(), any || !inst.blocks.empty());
            known.insert(known.end(), inst.types.size(), inst.op == Op::constant);
        }
        return false;
    }

    static Patterns both(Patterns a, const Patterns& b) {
        a.insert(a.end(), b.begin(), b.end());
        return a;
    }

    void check_extents(const Inst& inst, std::size_t rank) {
        for (std::size_t k = 0; k < rank; ++k) profile.ragged |= !operand(inst, k).is_uniform();
    }

    Patterns reduce(const Inst& inst) {
        const std::size_t rank = lower::loop_rank(inst);
        check_extents(inst, rank);
        Patterns states = patterns_of(states_of(inst));
        iterate([&] { block(inst.blocks[1], both(states, block(inst.blocks[0], Patterns(rank)))); });
        return states;
    }

    Patterns scan(const Inst& inst) {
        check_extents(inst, 1);
        Patterns states = patterns_of(states_of(inst));
        iterate([&] {
            block(inst.blocks[1], both(states, block(inst.blocks[0], Patterns(1))));
            block(inst.blocks[2], both({Pattern{}}, states));
        });
        return states;
    }

    /// A loop over all elements, one after another.
    Patterns compact(const Inst& inst) {
        iterate([&] { block(inst.blocks[0], Patterns(1)); });
        profile.ragged = true;
        return {Pattern{}};
    }

    /// Lanes may meet at one element and take turns, unless each updates its own.
    Patterns update(const Inst& inst) {
        const bool accumulates =
            lower::accumulator_at(kernel_, inst.bits) != nullptr;  // at an index of axes, not a computed one
        const bool own = is_contiguous(operand(inst, 0)) &&
                         (inst.operands[0].index + 1 == kernel_.space.size() || (accumulates && !inside_));
        if (!own && !inside_ && is_harmless(inst.blocks[0])) {
            const auto arrays = static_cast<double>(inst.operands.size() - 1);
            const auto combining = static_cast<double>(inst.blocks[0].insts.size());
            if (operand(inst, 0).is_uniform() && combines_lanes(kernel_, inst, env_.size())) {
                profile.shared_updates += 1;
                profile.in_turn += tuning::shared_update * combining;
            } else {
                profile.in_turn += tuning::update_accesses * arrays + combining;
            }
            return {};
        }
        Patterns values(inst.operands.size() - 1, own ? Pattern::varying() : Pattern{});
        for (std::size_t k = 0; k + 1 < inst.operands.size(); ++k) {
            values[k].type = kernel_.buffers[inst.bits + k].scalar;
            if (!own) continue;
            const bool narrow = detail::size_of(values[k].type) < 4;
            count(values[k].type), count(values[k].type);
            profile.contiguous += weight_, profile.stores += weight_;
            profile.narrow_stores |= narrow;
            profile.ragged |= narrow && profile.divergent;
        }
        for (std::size_t k = 1; k < inst.operands.size(); ++k) values.push_back(operand(inst, k));
        block(inst.blocks[0], values);
        profile.ragged |= !own;
        return {};
    }

    /// True if an operator can be executed on any values, and needs nothing that differs between lanes.
    bool is_harmless(const Block& combine) const {
        return lower::stands_alone(combine, env_.size()) &&
               std::all_of(combine.insts.begin(), combine.insts.end(), [](const Inst& inst) {
                   return (ir::is_pure(inst.op) || inst.op == Op::constant) && inst.blocks.empty();
               });
    }

    Patterns for_each(const Inst& inst) {
        check_extents(inst, lower::loop_rank(inst));
        iterate([&] { block(inst.blocks[0], Patterns(lower::loop_rank(inst))); });
        return {};
    }

    const lower::Kernel& kernel_;
    const ControlFlow& control_;
    Patterns env_;
    double weight_ = 1;
    bool inside_ = false;
};

}  // namespace

Profile profile(const lower::Kernel& kernel, const ControlFlow& control, const Block& block, Patterns environment,
                const Patterns& params) {
    PatternWalk walk(kernel, control, std::move(environment));
    walk.block(block, params);
    return walk.profile;
}

Patterns block_patterns(const lower::Kernel& kernel, const ControlFlow& control, const Block& block, Patterns environment,
                        const Patterns& params) {
    return PatternWalk(kernel, control, std::move(environment)).locals(block, params);
}

Patterns body_patterns(const lower::Kernel& kernel, const ControlFlow& control, const Patterns& params) {
    return PatternWalk(kernel, control, {}).locals(kernel.body, params);
}

}  // namespace sinter::schedule
