// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/settled_loops.hpp"

#include "enable/tuning.hpp"
#include "ir/builder.hpp"
#include "ir/rebuild.hpp"
#include "ir/walk.hpp"
#include "opt/algebra/constants.hpp"
#include "opt/cost.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace sinter::enable {

using namespace ir;

namespace {

using Locals = std::vector<Local>;

/// A boolean, and its value while a state may change.
struct Condition {
    Local local;
    bool value = true;
    bool operator==(const Condition&) const = default;
};

/// What the body of a counted loop does with its states. `level`: that of its first parameter, the index.
class Settling {
  public:
    Settling(const Block& body, std::size_t level) : body_(body), level_(level) {
        defined_.resize(body.params.size());
        stable_.assign(body.params.size(), true);
        stable_[0] = false;
        for (const Inst& inst : body.insts) add(inst);
    }

    /// The conditions of which one holds as long as a state may change; nothing if that is not known.
    std::optional<std::vector<Condition>> conditions() const {
        std::vector<Condition> found;
        for (std::size_t state = 0; state < body_.results.size(); ++state) {
            const Local before(level_ + 1 + state);
            if (body_.results[state] == before) continue;
            const auto condition = condition_of(body_.results[state], before);
            if (!condition || !is_stable(condition->local)) return std::nullopt;
            if (std::find(found.begin(), found.end(), *condition) == found.end()) found.push_back(*condition);
        }
        if (found.empty() || found.size() > tuning::most_conditions) return std::nullopt;
        return found;
    }
    /// True for what only states, and what is outside the loop, decide.
    bool is_stable(Local local) const { return local.index < level_ || stable_[local.index - level_]; }

  private:
    void add(const Inst& inst) {
        const bool stable = inst.blocks.empty() && is_pure(inst.op, inst.type()) &&
                            std::all_of(inst.operands.begin(), inst.operands.end(), [&](Local l) { return is_stable(l); });
        for (std::size_t result = 0; result < inst.types.size(); ++result) {
            defined_.emplace_back(&inst, result);
            stable_.push_back(stable);
        }
    }

    std::optional<Condition> condition_of(Local after, Local before) const {
        if (after.index < level_) return std::nullopt;
        const auto [inst, result] = defined_[after.index - level_];
        if (inst == nullptr) return std::nullopt;
        Local then, otherwise;
        if (inst->op == Op::select) {
            then = inst->operands[1], otherwise = inst->operands[2];
        } else if (inst->op == Op::cond) {
            then = inst->blocks[0].results[result], otherwise = inst->blocks[1].results[result];
        } else {
            return std::nullopt;
        }
        if (otherwise == before) return Condition{inst->operands[0], true};
        if (then == before) return Condition{inst->operands[0], false};
        return std::nullopt;
    }

    const Block& body_;
    std::size_t level_;
    std::vector<std::pair<const Inst*, std::size_t>> defined_;  ///< by local of the body: its instruction, and which result
    std::vector<bool> stable_;
};

/// Copies a function, and replaces the loops.
class SettledLoops {
  public:
    /// `constants`: what is known of the parameters.
    Block run(const Block& body, const std::vector<std::optional<std::int64_t>>& constants) {
        push(builder_.open(body.params), body.params.size());
        std::copy(constants.begin(), constants.end(), constants_.begin());
        Locals results = copy(body);
        return builder_.close(std::move(results));
    }
    bool changed() const { return changed_; }

  private:
    void push(const Locals& locals) {
        locals_.insert(locals_.end(), locals.begin(), locals.end());
        constants_.resize(locals_.size());
    }
    void push(Local first, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) locals_.emplace_back(first.index + i);
        constants_.resize(locals_.size());
    }
    void forget_from(std::size_t level) {
        locals_.resize(level);
        constants_.resize(level);
    }

    Locals renamed(const Locals& old) const {
        Locals locals;
        for (Local local : old) locals.push_back(locals_[local.index]);
        return locals;
    }

    /// The results of a block whose parameters have been renamed, written into the block that is open. `holding`: an old
    /// local that is known.
    Locals copy(const Block& block, const std::optional<Condition>& holding = {}) {
        const std::size_t base = locals_.size();
        for (const Inst& inst : block.insts) instruction(inst, holding);
        Locals results = renamed(block.results);
        forget_from(base);
        return results;
    }

    void instruction(const Inst& inst, const std::optional<Condition>& holding) {
        if (holding && (inst.op == Op::select || inst.op == Op::cond) && inst.operands[0] == holding->local) {
            const std::size_t taken = holding->value ? 0 : 1;
            return push(inst.op == Op::cond ? copy(inst.blocks[taken]) : renamed({inst.operands[1 + taken]}));
        }
        if (inst.op == Op::for_loop && may_settle(inst))
            if (const auto conditions = Settling(inst.blocks[0], locals_.size()).conditions())
                return settled(inst, *conditions);
        const std::size_t base = locals_.size();
        Inst made{inst.op, inst.types, inst.bits, renamed(inst.operands), {}};
        for (const Block& block : inst.blocks) {
            push(builder_.open(block.params), block.params.size());
            Locals results = copy(block);
            made.blocks.push_back(builder_.close(std::move(results)));
            forget_from(base);
        }
        push(builder_.emit(std::move(made)), inst.types.size());
        if (inst.op == Op::constant && inst.type() == Scalar::i64) constants_.back() = static_cast<std::int64_t>(inst.bits);
    }

    bool may_settle(const Inst& loop) const {
        const auto count = constants_[loop.operands[0].index];
        if (count && *count < tuning::fewest_settling) return false;
        std::vector<bool> divides;
        for (const auto& known : constants_) divides.push_back(known && *known != 0);
        return opt::is_speculative(loop.blocks[0], std::move(divides));
    }

    /// The loop, with the index as its last state.
    void settled(const Inst& loop, const std::vector<Condition>& conditions) {
        Inst made{Op::while_loop, loop.types, 0, renamed({loop.operands.begin() + 1, loop.operands.end()}), {}};
        made.types.push_back(Scalar::i64);
        made.operands.push_back(builder_.constant_index(0));
        made.blocks.push_back(goes_on(loop, made.types, conditions));
        made.blocks.push_back(step(loop, made.types, conditions));
        push(builder_.emit(std::move(made)), loop.types.size());
        changed_ = true;
    }

    /// Opens a block of the new loop, with the parameters of the old one's body.
    std::size_t open(const std::vector<Scalar>& params) {
        const std::size_t base = locals_.size();
        const Local first = builder_.open(params);
        push({Local(first.index + params.size() - 1)});
        push(first, params.size() - 1);
        return base;
    }

    Block goes_on(const Inst& loop, const std::vector<Scalar>& params, const std::vector<Condition>& conditions) {
        const std::size_t base = open(params);
        const Settling settling(loop.blocks[0], base);
        std::optional<Local> some;
        for (const Inst& inst : loop.blocks[0].insts) {
            // What is not stable is not copied, and nothing that is reads it.
            if (settling.is_stable(Local(locals_.size())))
                instruction(inst, {});
            else
                push(Locals(inst.types.size()));
        }
        for (const Condition& condition : conditions) {
            Local holds = locals_[condition.local.index];
            if (!condition.value) holds = builder_.emit(Op::bit_not, {holds});
            some = some ? builder_.emit(Op::bit_or, {*some, holds}) : holds;
        }
        const Local more = builder_.emit(Op::less, {locals_[base], locals_[loop.operands[0].index]});
        const Local result = builder_.emit(Op::bit_and, {more, *some});
        forget_from(base);
        return builder_.close({result});
    }

    Block step(const Inst& loop, const std::vector<Scalar>& params, const std::vector<Condition>& conditions) {
        const std::size_t base = open(params);
        const Local index = locals_[base];
        Locals results = copy(loop.blocks[0], conditions.size() == 1 ? std::optional(conditions[0]) : std::nullopt);
        results.push_back(builder_.emit(Op::add, {index, builder_.constant_index(1)}));
        forget_from(base);
        return builder_.close(std::move(results));
    }

    BlockBuilder builder_;
    Locals locals_;                                       ///< new names, by old ones
    std::vector<std::optional<std::int64_t>> constants_;  ///< by old name
    bool changed_ = false;
};

class SettledFunctions : public Rebuilder {
    void binding(Binding&& binding) override {
        if (FunctionPart part = function_of(binding.op)) replace(*part.fn, part.captures->scalars);
        const bool is_map = std::holds_alternative<Map>(binding.op);
        keep(std::move(binding));
        if (is_map) constants_.note(written().back(), level());
    }
    void close() override { constants_.forget_from(level()); }

    void replace(Fn& fn, const std::vector<ValueId>& captured) {
        if (!any_inst(fn.body, [](const Inst& inst) { return inst.op == Op::for_loop; })) return;
        std::vector<std::optional<std::int64_t>> constants(fn.body.params.size());
        for (std::size_t i = 0; i < captured.size(); ++i)
            if (const auto known = constants_.find(captured[i]))
                constants[constants.size() - captured.size() + i] = static_cast<std::int64_t>(*known);
        SettledLoops loops;
        Block body = loops.run(fn.body, constants);
        if (loops.changed()) fn = canonical({fn.arrays, std::move(body)});
    }

    opt::Constants constants_;
};

}  // namespace

Program settled_loops(Program program) { return SettledFunctions().run(std::move(program)); }

}  // namespace sinter::enable
