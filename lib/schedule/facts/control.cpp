// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/facts/control.hpp"

#include "lower/loops.hpp"
#include "schedule/tuning.hpp"

#include <limits>

namespace sinter::schedule {

using ir::Op;
using lower::Block;
using lower::Inst;
using Apart = Control::Apart;

namespace {

/// Locals around an instruction that a value varies with: a bit per level, as far as there are any.
class Set {
  public:
    Set() = default;
    explicit Set(ir::Local local) : words_(local.index / bits + 1, 0) { words_.back() = Word{1} << local.index % bits; }

    /// Whether it has become larger.
    bool add(const Set& other) {
        if (words_.size() < other.words_.size()) words_.resize(other.words_.size(), 0);
        Word added = 0;
        for (std::size_t k = 0; k < other.words_.size(); ++k) {
            added |= other.words_[k] & ~words_[k];
            words_[k] |= other.words_[k];
        }
        return added != 0;
    }

    Control::Locals locals() const {
        Control::Locals result;
        for (std::size_t k = 0; k < words_.size() * bits; ++k)
            if (words_[k / bits] >> k % bits & 1) result.push_back(ir::Local(static_cast<std::uint32_t>(k)));
        return result;
    }

  private:
    using Word = std::uint64_t;
    static constexpr std::size_t bits = 64;
    std::vector<Word> words_;
};
using Sets = std::vector<Set>;

bool add(Sets& to, const Sets& from) {
    bool larger = false;
    for (std::size_t k = 0; k < to.size(); ++k) larger |= to[k].add(from[k]);
    return larger;
}

Sets both(Sets a, const Sets& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// What the values of one instruction's blocks vary with, given what those of instructions inside do.
class Inside {
  public:
    Inside(const ControlFlow& known, const Inst& inst, std::size_t level) : known_(known), inst_(inst), level_(level) {}

    Control operator()() {
        Set way;
        const Sets states = states_and(way);
        Control result;
        for (const Set& state : states) result.states.push_back(state.locals());
        result.way = way.locals();
        return result;
    }

  private:
    Sets states_and(Set& way) {
        switch (inst_.op) {
            case Op::cond:
                return branch(way);
            case Op::while_loop:
                return fixpoint(around(0), [&](const Sets& states) {
                    way.add(block(inst_.blocks[0], states)[0]);
                    return block(inst_.blocks[1], states);
                });
            case Op::for_loop:
                way = of(inst_.operands[0]);
                return fixpoint(around(1),
                                [&](const Sets& states) { return block(inst_.blocks[0], both(Sets(1), states)); });
            default:
                return folded();
        }
    }

    Sets branch(Set& way) {
        way = of(inst_.operands[0]);
        Sets results = block(inst_.blocks[0], {});
        add(results, block(inst_.blocks[1], {}));
        for (Set& result : results) result.add(way);
        return results;
    }

    /// Of a reduce or scan. Indices are the same for all lanes, whose loops have the same extents.
    Sets folded() {
        const std::size_t rank = lower::loop_rank(inst_);
        Sets start = around(rank);
        start.resize(inst_.types.size());
        return fixpoint(std::move(start), [&](const Sets& states) {
            const Sets elements = block(inst_.blocks[0], Sets(rank));
            Sets next = block(inst_.blocks[1], both(states, elements));
            add(next, elements);
            return next;
        });
    }

    template <class Step>
    static Sets fixpoint(Sets states, Step step) {
        while (add(states, step(states))) {
        }
        return states;
    }

    Set of(ir::Local l) const { return l.index < level_ ? Set(l) : inner_[l.index - level_]; }
    Set of(const Control::Locals& locals) const {
        Set result;
        for (ir::Local l : locals) result.add(of(l));
        return result;
    }
    Sets around(std::size_t first) const {
        Sets result;
        for (std::size_t k = first; k < inst_.operands.size(); ++k) result.push_back(of(inst_.operands[k]));
        return result;
    }

    Sets block(const Block& b, const Sets& params) {
        const std::size_t base = inner_.size();
        inner_.insert(inner_.end(), params.begin(), params.end());
        for (const Inst& inst : b.insts) {
            Sets results = execute(inst);
            inner_.insert(inner_.end(), results.begin(), results.end());
        }
        Sets results;
        for (ir::Local l : b.results) results.push_back(of(l));
        inner_.resize(base);
        return results;
    }

    Sets execute(const Inst& inst) const {
        if (const auto known = known_.find(&inst); known != known_.end()) {
            const Set way = of(known->second.way);
            Sets results;
            for (const Control::Locals& state : known->second.states) (results.emplace_back(of(state))).add(way);
            return results;
        }
        Sets results(inst.types.size());
        if (results.empty() || !inst.blocks.empty()) return results;
        const bool first_alone = inst.op == Op::load || inst.op == Op::check_index;  // which give no other element, no index
        for (std::size_t k = 0; k < (first_alone ? 1 : inst.operands.size()); ++k) results[0].add(of(inst.operands[k]));
        return results;
    }

    const ControlFlow& known_;
    const Inst& inst_;
    const std::size_t level_;
    Sets inner_;  ///< of locals of the blocks, from `level_` on
};

/// Instructions in `b` if it is so cheap and harmless that lanes which need not execute it may; else a large number.
int cost_in_all_lanes(const Block& b) {
    constexpr int never = std::numeric_limits<int>::max() / 2;
    int cost = 0;
    for (const Inst& inst : b.insts) {
        const bool harmless = ir::is_pure(inst.op) || inst.op == Op::div || inst.op == Op::rem;
        if (inst.op == Op::size || inst.op == Op::constant) continue;
        if (!harmless || !inst.blocks.empty()) return never;
        const bool divides = inst.op == Op::div || inst.op == Op::rem || inst.op == Op::sqrt;
        const bool wide = inst.type() == lower::Scalar::f64;
        cost += !divides ? 1 : wide ? tuning::speculated_wide_division : tuning::speculated_division;
        if (cost > tuning::speculated_instructions) return never;
    }
    return cost;
}

Apart apart_of(const Inst& cond) {
    const int cost = cost_in_all_lanes(cond.blocks[0]) + cost_in_all_lanes(cond.blocks[1]);
    if (cost <= tuning::speculated_instructions) return Apart::select;
    return cond.types.empty() && cond.blocks[1].insts.empty() ? Apart::skip : Apart::blend;
}

class ControlFinder {
  public:
    ControlFlow operator()(const lower::Kernel& kernel) {
        block(kernel.body, 0);
        return std::move(found_);
    }

  private:
    /// Of instructions inside of others first.
    void block(const Block& b, std::size_t level) {
        level += b.params.size();
        for (const Inst& inst : b.insts) {
            for (const Block& inner : inst.blocks) block(inner, level);
            if (has_states(inst.op)) {
                Control control = Inside(found_, inst, level)();
                if (inst.op == Op::cond) control.apart = apart_of(inst);
                found_.emplace(&inst, std::move(control));
            }
            level += inst.types.size();
        }
    }

    static bool has_states(Op op) {
        return op == Op::cond || op == Op::while_loop || op == Op::for_loop || op == Op::reduce || op == Op::scan;
    }

    ControlFlow found_;
};

}  // namespace

ControlFlow control_flow(const lower::Kernel& kernel) { return ControlFinder()(kernel); }

}  // namespace sinter::schedule
