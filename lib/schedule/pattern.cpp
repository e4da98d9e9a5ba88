// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/pattern.hpp"

#include "ir/evaluate.hpp"
#include "lower/locals.hpp"
#include "lower/loops.hpp"
#include "schedule/tuning.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

namespace sinter::schedule {

using ir::Op;
using ir::Scalar;
using lower::Block;
using lower::Inst;
using Patterns = std::vector<Pattern>;
using Kind = Pattern::Kind;

namespace {

Pattern join(const Pattern& a, const Pattern& b) {
    if (a == b) return a;
    return a.is_uniform() && b.is_uniform() ? Pattern{} : Pattern::varying();
}

class Walk {
  public:
    Walk(const lower::Kernel& kernel, Patterns environment) : kernel_(kernel), env_(std::move(environment)) {}
    Profile profile;
    bool divergent = false;   ///< the control instruction executed last diverges
    Patterns control_states;  ///< of the loop executed last: its states in all iterations

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

  private:
    void push(const Patterns& patterns, const std::vector<Scalar>& types) {
        for (std::size_t k = 0; k < patterns.size(); ++k) {
            env_.push_back(patterns[k]);
            env_.back().type = types[k];
            if (env_.back().value == 0) env_.back().value = ++values_;
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
            case Op::wrap:
            case Op::symmetric:
            case Op::reflect:
                return {operand(inst, 0)};  // the same as the operand, except at the borders
            case Op::minimum:
            case Op::maximum:
                return {clamped(inst)};
            default:
                return {pure(inst)};
        }
    }

    const Pattern& operand(const Inst& inst, std::size_t k) const { return env_[inst.operands[k].index]; }

    Pattern pure(const Inst& inst) {
        bool uniform = true;
        for (ir::Local l : inst.operands) uniform = uniform && env_[l.index].is_uniform();
        if (uniform) return {};
        if (inst.type() == Scalar::i64) {
            if (auto affine = index_arithmetic(inst); affine.kind == Kind::affine) return affine;
        }
        count_arithmetic(inst);
        return Pattern::varying();
    }

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
        (is_contiguous(offset) ? profile.contiguous : profile.gathers) += weight_;
        if (!is_contiguous(offset) && !gathered_.insert(offset.value).second) profile.shared_gathers += weight_;
        if (is_contiguous(offset) && inside_) profile.streamed += weight_;
        if (!is_contiguous(offset) && offset.kind == Kind::affine) profile.strided += weight_;
        profile.narrow_memory |= is_contiguous(offset) && detail::size_of(inst.type()) < 4;
        return Pattern::varying();
    }

    void store(const Inst& inst) {
        const Pattern& offset = operand(inst, 0);
        const Scalar type = kernel_.buffers[inst.bits].scalar;
        count(type);
        (is_contiguous(offset) ? profile.stores : profile.scatters) += weight_;
        profile.narrow_memory |= is_contiguous(offset) && detail::size_of(type) < 4;
    }

    static bool is_contiguous(const Pattern& offset) {
        return offset.kind == Kind::affine && offset.number && (*offset.number == 1 || *offset.number == -1);
    }

    Patterns cond(const Inst& inst) {
        const bool diverges = !operand(inst, 0).is_uniform();
        profile.divergent |= diverges;
        Patterns a = block(inst.blocks[0], {});
        const Patterns b = block(inst.blocks[1], {});
        divergent = diverges;
        for (std::size_t k = 0; k < a.size(); ++k) a[k] = diverges ? Pattern::varying() : merged(a[k], b[k]);
        return a;
    }

    /// The pattern of a value that reaches a point on two paths: only uniform ones keep theirs.
    static Pattern merged(const Pattern& a, const Pattern& b) {
        const Pattern j = join(a, b);
        return j.is_uniform() ? Pattern{} : Pattern::varying();
    }

    Patterns operands_from(const Inst& inst, std::size_t first) const {
        Patterns result;
        for (std::size_t k = first; k < inst.operands.size(); ++k)
            result.push_back(merged(operand(inst, k), operand(inst, k)));
        return result;
    }

    /// Iterates `step` until the states that it returns vary no more than the states it is given; then executes it once more
    /// to count.
    template <class F>
    Patterns fixpoint(Patterns states, F step) {
        const Profile saved = profile;
        const std::set<std::size_t> gathered = gathered_;
        for (bool changed = true; changed;) {
            const Patterns next = step(states);
            changed = false;
            for (std::size_t k = 0; k < states.size(); ++k) {
                const Pattern m = merged(states[k], next[k]);
                changed |= !(m == states[k]);
                states[k] = m;
            }
        }
        profile = saved;
        gathered_ = gathered;
        profile.inner += weight_;
        weight_ *= tuning::inner_iterations;
        const bool was_inside = std::exchange(inside_, true);
        step(states);
        inside_ = was_inside;
        weight_ /= tuning::inner_iterations;
        return states;
    }

    /// The results of a loop with these states: lanes that end at different times have different ones.
    Patterns states_of(Patterns states, bool diverges) {
        divergent = diverges;
        control_states = states;
        return diverges ? Patterns(states.size(), Pattern::varying()) : states;
    }

    Patterns while_loop(const Inst& inst) {
        bool diverges = false;
        Patterns result = fixpoint(operands_from(inst, 0), [&](const Patterns& states) {
            diverges |= !block(inst.blocks[0], states)[0].is_uniform();
            profile.divergent |= diverges;
            return block(inst.blocks[1], states);
        });
        return states_of(std::move(result), diverges);
    }

    Patterns for_loop(const Inst& inst) {
        const bool diverges = !operand(inst, 0).is_uniform();
        Patterns result = fixpoint(operands_from(inst, 1), [&](const Patterns& states) {
            Patterns params{Pattern{}};
            params.insert(params.end(), states.begin(), states.end());
            profile.divergent |= diverges;
            return block(inst.blocks[0], params);
        });
        return states_of(std::move(result), diverges);
    }

    void check_extents(const Inst& inst, std::size_t rank) {
        for (std::size_t k = 0; k < rank; ++k) profile.ragged |= !operand(inst, k).is_uniform();
    }

    Patterns reduce(const Inst& inst) {
        const std::size_t rank = lower::loop_rank(inst);
        check_extents(inst, rank);
        return fixpoint(operands_from(inst, rank), [&](const Patterns& states) {
            const Patterns elements = block(inst.blocks[0], Patterns(rank));
            Patterns both = states;
            both.insert(both.end(), elements.begin(), elements.end());
            Patterns next = block(inst.blocks[1], both);
            for (std::size_t k = 0; k < next.size(); ++k) next[k] = merged(next[k], elements[k]);
            return next;
        });
    }

    Patterns scan(const Inst& inst) {
        check_extents(inst, 1);
        Patterns start = operands_from(inst, 1);
        start.resize(inst.types.size());
        return fixpoint(std::move(start), [&](const Patterns& states) {
            const Patterns elements = block(inst.blocks[0], Patterns(1));
            Patterns both = states;
            both.insert(both.end(), elements.begin(), elements.end());
            Patterns next = block(inst.blocks[1], both);
            for (std::size_t k = 0; k < next.size(); ++k) next[k] = merged(next[k], elements[k]);
            Patterns shown{Pattern{}};
            shown.insert(shown.end(), next.begin(), next.end());
            block(inst.blocks[2], shown);
            return next;
        });
    }

    /// A loop over all elements, one after another.
    Patterns compact(const Inst& inst) {
        fixpoint({}, [&](const Patterns&) { return block(inst.blocks[0], Patterns(1)), Patterns{}; });
        profile.ragged = true;
        return {Pattern{}};
    }

    /// Lanes may meet at one element and take turns, unless each updates its own.
    Patterns update(const Inst& inst) {
        const bool own = inst.operands[0].index + 1 == kernel_.space.size() && is_contiguous(operand(inst, 0));
        if (!own && !inside_ && is_harmless(inst.blocks[0])) {
            constexpr double accesses = 3;  // an offset is loaded, an element loaded and stored
            const auto arrays = static_cast<double>(inst.operands.size() - 1);
            profile.in_turn += accesses * arrays + static_cast<double>(inst.blocks[0].insts.size());
            return {};
        }
        Patterns both(inst.operands.size() - 1, own ? Pattern::varying() : Pattern{});
        for (std::size_t k = 0; k < both.size(); ++k) {
            both[k].type = kernel_.buffers[inst.bits + k].scalar;
            if (!own) continue;
            const bool narrow = detail::size_of(both[k].type) < 4;
            count(both[k].type), count(both[k].type);
            profile.contiguous += weight_, profile.stores += weight_;
            profile.narrow_memory |= narrow;
            profile.ragged |= narrow && profile.divergent;
        }
        const Patterns right = operands_from(inst, 1);
        both.insert(both.end(), right.begin(), right.end());
        block(inst.blocks[0], both);
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
        fixpoint({}, [&](const Patterns&) { return block(inst.blocks[0], Patterns(lower::loop_rank(inst))); });
        return {};
    }

    const lower::Kernel& kernel_;
    Patterns env_;
    std::size_t values_ = 0;          ///< number of values that were numbered
    std::set<std::size_t> gathered_;  ///< numbers of the indices at which there was a load
    double weight_ = 1;
    bool inside_ = false;
};

}  // namespace

Profile profile(const lower::Kernel& kernel, const Block& block, Patterns environment, const Patterns& params) {
    Walk walk(kernel, std::move(environment));
    walk.block(block, params);
    return walk.profile;
}

Patterns block_patterns(const lower::Kernel& kernel, const Block& block, Patterns environment, const Patterns& params) {
    return Walk(kernel, std::move(environment)).locals(block, params);
}

Patterns body_patterns(const lower::Kernel& kernel, const Patterns& params) {
    return Walk(kernel, {}).locals(kernel.body, params);
}

StatePatterns state_patterns(const lower::Kernel& kernel, const Inst& inst, Patterns environment) {
    Walk walk(kernel, std::move(environment));
    Patterns states = walk.control(inst);
    const bool loop = inst.op == Op::while_loop || inst.op == Op::for_loop;
    return {loop ? std::move(walk.control_states) : std::move(states), walk.divergent};
}

}  // namespace sinter::schedule
