// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known at a place are *facts*: linear forms of indices, sizes and other numbers that are not negative there.
// Indices of loops have a range; a branch adds what its condition compares. An index is inside if both its distances to the
// ends of the array are sums of multiples of facts.
//
// Facts are about integers, but kernels compute modulo 2^64. Indices, and extents that arrays have, are so small that sums
// of them never wrap; of any other number, as one that is loaded, only comparisons of itself are facts.
#include "lower/index/implied_checks.hpp"

#include "ir/builder.hpp"
#include "ir/sizes/linear.hpp"
#include "ir/walk.hpp"
#include "lower/loops.hpp"
#include "lower/tuning.hpp"

#include <algorithm>
#include <utility>

namespace sinter::lower {

namespace {

using ir::combine;
using ir::LinearForm;
using ir::MaybeForm;
using ir::Op;
using ir::Term;

using Facts = std::vector<LinearForm>;

/// form + number
MaybeForm plus(const MaybeForm& form, std::int64_t number) { return combine(form, 1, LinearForm{{}, number}); }

/// Whether some form is a sum of multiples of facts and of a number that is not negative.
class Proof {
  public:
    explicit Proof(const Facts& facts) : facts_(facts) {}

    bool is_never_negative(const MaybeForm& form, int depth = tuning::most_facts_of_a_proof) {
        if (!form) return false;
        if (form->is_constant()) return form->constant >= 0;
        if (depth == 0) return false;
        const auto& [term, factor] = *form->factors.begin();
        return std::any_of(facts_.begin(), facts_.end(), [&, term = term, factor = factor](const LinearForm& fact) {
            const auto found = fact.factors.find(term);
            if (found == fact.factors.end() || factor % found->second != 0 || factor / found->second < 0) return false;
            return steps_-- > 0 && is_never_negative(combine(form, -(factor / found->second), fact), depth - 1);
        });
    }

  private:
    const Facts& facts_;
    int steps_ = tuning::most_steps_of_a_proof;
};

class ImpliedChecks {
  public:
    ImpliedChecks(const Kernel& kernel, const std::set<SizeId>& present)
        : kernel_(kernel),
          present_(present),
          forms_(kernel.sizes, [](ir::ValueId) -> const ir::Type& { return no_type(); }) {
        for (SizeId id : present) add_fact(forms_.of(id));
    }

    /// The body without such checks; nothing if there are none.
    std::optional<Block> operator()() {
        open(kernel_.body);
        for (std::size_t k = 0; k < kernel_.space.size(); ++k) set_range(k, known_of(kernel_.space[k]));
        instructions(kernel_.body);
        Block body = builder_.close({});
        return found_ ? std::optional(std::move(body)) : std::nullopt;
    }

  private:
    /// What follows from a condition: forms that are not negative, and forms that are not zero.
    struct Conclusions {
        Facts not_negative = {}, not_zero = {};

        void add(const Conclusions& more) {
            not_negative.insert(not_negative.end(), more.not_negative.begin(), more.not_negative.end());
            not_zero.insert(not_zero.end(), more.not_zero.begin(), more.not_zero.end());
        }
    };
    /// What is known of a local.
    struct Known {
        MaybeForm form = {};                      ///< of an i64, modulo 2^64
        bool exact = false;                       ///< the form is what is computed
        Conclusions if_true = {}, if_false = {};  ///< of a boolean
    };

    static const ir::Type& no_type() {
        static const ir::Type& none = *new ir::Type{};  // without a destructor that runs at the end of the process
        return none;
    }

    // ---- writing

    /// Parameters are numbers of which nothing is known.
    void open(const Block& block) {
        const Local first = builder_.open(block.params);
        for (std::size_t k = 0; k < block.params.size(); ++k) {
            const Term term{Term::Kind::variable, known_.size()};
            known_.push_back(block.params[k] == Scalar::i64 ? Known{LinearForm{{{term, 1}}, 0}, true} : Known{});
            names_.emplace_back(first.index + k);
        }
    }

    Block close(const Block& block, std::size_t level, std::size_t facts) {
        instructions(block);
        Block written = builder_.close(renamed(block.results));
        known_.resize(level), names_.resize(level), facts_.resize(facts);
        return written;
    }

    void instructions(const Block& block) {
        for (const Inst& inst : block.insts) {
            if (inst.op == Op::check_index && is_implied(inst)) {
                found_ = true;
                const Local index = inst.operands[0];
                names_.push_back(names_[index.index]);
                known_.push_back(known_[index.index]);
                continue;
            }
            copy(inst);
        }
    }

    void copy(const Inst& inst) {
        Inst copied{inst.op, inst.types, inst.bits, renamed(inst.operands), {}};
        for (std::size_t k = 0; k < inst.blocks.size(); ++k) copied.blocks.push_back(nested(inst, k));
        const Local first = builder_.emit(std::move(copied));
        for (std::size_t k = 0; k < inst.types.size(); ++k) names_.emplace_back(first.index + k);
        if (inst.types.size() == 1) return known_.push_back(result(inst));
        for (Scalar type : inst.types) known_.push_back(type == Scalar::i64 ? unknown() : Known{});
    }

    Block nested(const Inst& inst, std::size_t which) {
        const Block& block = inst.blocks[which];
        const std::size_t level = known_.size(), facts = facts_.size();
        if (inst.op == Op::cond) conclude(which == 0 ? known(inst, 0).if_true : known(inst, 0).if_false);
        open(block);
        for (std::size_t k = 0; k < axes_of(inst, which); ++k) set_range(level + k, known(inst, k));
        return close(block, level, facts);
    }

    /// The number of first parameters of a block that are indices below the operands in the same places.
    static std::size_t axes_of(const Inst& inst, std::size_t block) {
        if (inst.op == Op::for_loop) return 1;
        const bool emits = inst.op == Op::scan && block == 2;
        return is_loop(inst.op) && (block == 0 || emits) ? loop_rank(inst) : 0;
    }

    std::vector<Local> renamed(const std::vector<Local>& old) const {
        std::vector<Local> result;
        for (Local local : old) result.push_back(names_[local.index]);
        return result;
    }

    // ---- what is known

    void add_fact(MaybeForm fact) {
        if (fact) facts_.push_back(*std::move(fact));
    }

    /// What is not negative, and not zero, is at least one.
    void conclude(const Conclusions& from) {
        facts_.insert(facts_.end(), from.not_negative.begin(), from.not_negative.end());
        for (const LinearForm& form : from.not_zero)
            for (int sign : {1, -1}) {
                const MaybeForm side = combine(LinearForm{}, sign, form);
                if (Proof(facts_).is_never_negative(side)) add_fact(plus(side, -1));
            }
    }

    /// The local is an index. Where it is, there are as many.
    void set_range(std::size_t level, const Known& count) {
        const Term index{Term::Kind::axis, level};
        known_[level] = {LinearForm{{{index, 1}}, 0}, true};
        add_fact(known_[level].form);
        if (count.exact) add_fact(combine(plus(count.form, -1), -1, known_[level].form));
    }

    Known known(const Inst& inst, std::size_t operand) const { return known_[inst.operands[operand].index]; }

    /// The result that is to be defined next, as a number of its own.
    Known unknown() const { return {LinearForm{{{{Term::Kind::variable, known_.size()}, 1}}, 0}, true}; }

    Known known_of(SizeId id) {
        const LinearForm form = forms_.of(id);
        const bool small = std::all_of(form.factors.begin(), form.factors.end(), [&](const auto& part) {
            return part.first.kind == Term::Kind::size && present_.contains(SizeId(part.first.index));
        });
        return {form, small || form == LinearForm{{{{Term::Kind::size, id.index}, 1}}, 0}};
    }

    /// Sums of numbers of which nothing is known may wrap.
    bool is_small(const Known& known) const {
        return known.form && known.exact &&
               std::all_of(known.form->factors.begin(), known.form->factors.end(), [&](const auto& part) {
                   const Term& term = part.first;
                   return term.kind == Term::Kind::axis ||
                          (term.kind == Term::Kind::size && present_.contains(SizeId(term.index)));
               });
    }

    Known result(const Inst& inst) {
        if (inst.type() == Scalar::boolean) return condition(inst);
        if (inst.type() != Scalar::i64) return {};
        const auto computed = [&](MaybeForm form) {
            if (!form) return unknown();
            return Known{std::move(form), is_small(known(inst, 0)) && is_small(known(inst, 1))};
        };
        switch (inst.op) {
            case Op::constant:
                return {combine(LinearForm{}, 1, LinearForm{{}, static_cast<std::int64_t>(inst.bits)}), true};
            case Op::size:
                return known_of(SizeId(inst.bits));
            case Op::add:
                return computed(combine(known(inst, 0).form, 1, known(inst, 1).form));
            case Op::sub:
                return computed(combine(known(inst, 0).form, -1, known(inst, 1).form));
            case Op::mul:
                return computed(product(known(inst, 0).form, known(inst, 1).form));
            default:
                return unknown();
        }
    }

    Known condition(const Inst& inst) const {
        Known result;
        if (inst.op == Op::bit_and || inst.op == Op::bit_or) {
            for (std::size_t k : {0, 1}) {
                const Known side = known(inst, k);
                if (inst.op == Op::bit_and) result.if_true.add(side.if_true);
                if (inst.op == Op::bit_or) result.if_false.add(side.if_false);
            }
            return result;
        }
        if (inst.operands.size() != 2) return {};
        const Known a = known(inst, 0), b = known(inst, 1);
        if (!a.form || !b.form || !a.exact || !b.exact) return {};
        const MaybeForm up = combine(b.form, -1, a.form), down = combine(a.form, -1, b.form);  // from a to b, from b to a
        const auto add = [](Facts& to, const MaybeForm& form) {
            if (form) to.push_back(*form);
        };
        const auto at_most = [&](Conclusions& to, const MaybeForm& difference) { add(to.not_negative, difference); };
        const auto below = [&](Conclusions& to, const MaybeForm& difference) { add(to.not_negative, plus(difference, -1)); };
        switch (inst.op) {
            case Op::less:
                below(result.if_true, up), at_most(result.if_false, down);
                break;
            case Op::less_equal:
                at_most(result.if_true, up), below(result.if_false, down);
                break;
            case Op::greater:
                below(result.if_true, down), at_most(result.if_false, up);
                break;
            case Op::greater_equal:
                at_most(result.if_true, down), below(result.if_false, up);
                break;
            case Op::equal:
                at_most(result.if_true, up), at_most(result.if_true, down), add(result.if_false.not_zero, up);
                break;
            case Op::not_equal:
                at_most(result.if_false, up), at_most(result.if_false, down), add(result.if_true.not_zero, up);
                break;
            case Op::inside:
                at_most(result.if_true, a.form), below(result.if_true, up);
                break;
            default:
                break;
        }
        return result;
    }

    bool is_implied(const Inst& check) const {
        const Known index = known(check, 0), extent = known(check, 1);
        if (!index.form || !extent.exact) return false;
        return Proof(facts_).is_never_negative(index.form) &&
               Proof(facts_).is_never_negative(combine(plus(extent.form, -1), -1, index.form));
    }

    const Kernel& kernel_;
    const std::set<SizeId>& present_;
    ir::LinearForms forms_;            ///< of sizes
    ir::BlockBuilder builder_{false};  // loads are not shared: stores may lie between them
    std::vector<Local> names_;         ///< by old level
    std::vector<Known> known_;         ///< by old level
    Facts facts_;                      ///< that hold where it is
    bool found_ = false;
};

bool has_checks(const Block& block) {
    return ir::any_inst(block, [](const Inst& inst) { return inst.op == Op::check_index; });
}

bool has_checks_in_branches(const Kernel& kernel) {
    return ir::any_inst(kernel.body, [](const Inst& inst) {
        return inst.op == Op::cond && (has_checks(inst.blocks[0]) || has_checks(inst.blocks[1]));
    });
}

/// Gives the checks that are left the first numbers, in their order.
void drop_unused_checks(Kernel& kernel) {
    const auto reports = [](const Inst& inst) {
        return inst.op == Op::check_index || inst.op == Op::check_divisor || inst.op == Op::expect || inst.op == Op::print;
    };
    std::vector<std::optional<std::uint64_t>> numbers(kernel.checks.size());
    ir::for_each_inst(kernel.body, [&](const Inst& inst) {
        if (reports(inst)) numbers[inst.bits] = 0;
    });
    std::vector<Check> checks;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        const Check::Kind kind = kernel.checks[k].kind;
        if (!numbers[k] && kind != Check::Kind::guard && kind != Check::Kind::shape) continue;
        numbers[k] = checks.size();
        checks.push_back(std::move(kernel.checks[k]));
    }
    ir::for_each_inst(kernel.body, [&](Inst& inst) {
        if (reports(inst)) inst.bits = *numbers[inst.bits];
    });
    kernel.checks = std::move(checks);
}

}  // namespace

Kernel without_implied_checks(Kernel kernel, const std::set<SizeId>& present) {
    if (!has_checks_in_branches(kernel)) return kernel;
    std::optional<Block> body = ImpliedChecks(kernel, present)();
    if (!body) return kernel;
    kernel.body = *std::move(body);
    drop_unused_checks(kernel);
    return kernel;
}

}  // namespace sinter::lower
