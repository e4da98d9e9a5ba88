// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opt/algebra/simplify_function.hpp"

#include "opt/algebra/algebra.hpp"
#include "opt/tuning.hpp"

#include <algorithm>
#include <utility>

namespace sinter::opt {

using namespace ir;

namespace {

using Locals = std::vector<Local>;

class FunctionSimplifier {
  public:
    Block run(const Block& body) {
        Local first = algebra_.open(body.params);
        push(first, body.params.size());
        Locals results = copy(body);
        return algebra_.close(std::move(results));
    }

  private:
    void push(Local first, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) locals_.push_back(Local(first.index + i));
    }
    void push(const Locals& locals) { locals_.insert(locals_.end(), locals.begin(), locals.end()); }

    Locals renamed(const Locals& old) const {
        Locals locals;
        locals.reserve(old.size());
        for (Local local : old) locals.push_back(locals_[local.index]);
        return locals;
    }

    /// Copies the instructions of a block whose parameters have already been renamed; returns its results and leaves the
    /// scope as it was.
    Locals copy(const Block& block) {
        std::size_t base = locals_.size();
        for (const Inst& inst : block.insts) push(instruction(inst));
        Locals results = renamed(block.results);
        locals_.resize(base);
        return results;
    }

    /// The results of the block for these values of its parameters, written into the block that is open.
    Locals inlined(const Block& block, const Locals& params) {
        push(params);
        Locals results = copy(block);
        locals_.resize(locals_.size() - params.size());
        return results;
    }

    /// The new values of the instruction's results.
    Locals instruction(const Inst& inst) {
        Inst renamed_inst{inst.op, inst.types, inst.bits, renamed(inst.operands), {}};
        switch (inst.op) {
            case Op::cond:
                return cond(inst, std::move(renamed_inst));
            case Op::for_loop:
            case Op::while_loop:
                return loop(inst, std::move(renamed_inst));
            default:
                return {algebra_.emit(std::move(renamed_inst))};
        }
    }

    Locals cond(const Inst& old, Inst inst) {
        if (auto known = algebra_.constant(inst.operands[0])) return copy(old.blocks[*known == 1 ? 0 : 1]);
        if (is_light(old.blocks[0]) && is_light(old.blocks[1])) return chosen(old, inst.operands[0]);
        std::size_t level = algebra_.level();
        for (const Block& block : old.blocks) {
            algebra_.open({});
            Locals results = copy(block);
            inst.blocks.push_back(algebra_.close(std::move(results)));
        }
        Block &then = inst.blocks[0], &otherwise = inst.blocks[1];
        std::vector<bool> keep(old.types.size());
        Locals results(old.types.size());
        for (std::size_t i = 0; i < results.size(); ++i) {
            keep[i] = then.results[i] != otherwise.results[i] || then.results[i].index >= level;
            if (!keep[i]) results[i] = then.results[i];
        }
        for (auto* filtered : {&then.results, &otherwise.results}) filter(*filtered, keep);
        filter(inst.types, keep);
        return with_results(std::move(inst), keep, std::move(results));
    }

    /// True if a branch would cost more than executing the block in vain, as one that cannot be predicted does. Only
    /// arithmetic of integers: the derivative of a float that is not chosen might be a NaN.
    static bool is_light(const Block& block) {
        std::size_t count = 0;
        return std::all_of(block.insts.begin(), block.insts.end(), [&](const Inst& inst) {
            if (inst.op == Op::constant) return true;
            if (!inst.blocks.empty() || inst.types.size() != 1 || detail::is_float(inst.type())) return false;
            const bool divides = inst.op == Op::div || inst.op == Op::rem;
            return is_pure(inst.op, inst.type()) && !divides && ++count <= tuning::most_instructions_in_vain;
        });
    }

    /// Both values of a cond, and a choice between them.
    Locals chosen(const Inst& cond, Local condition) {
        const Locals yes = copy(cond.blocks[0]), no = copy(cond.blocks[1]);
        Locals results;
        for (std::size_t k = 0; k < yes.size(); ++k)
            results.push_back(algebra_.emit(Inst{Op::select, {cond.types[k]}, 0, {condition, yes[k], no[k]}, {}}));
        return results;
    }

    template <class T>
    static void filter(std::vector<T>& items, const std::vector<bool>& keep) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < items.size(); ++i)
            if (keep[i]) items[kept++] = items[i];
        items.resize(kept);
    }

    /// Appends `inst` unless it has no results; its results take the places of those `results` that are kept.
    Locals with_results(Inst inst, const std::vector<bool>& keep, Locals results) {
        if (inst.types.empty()) return results;
        Local next = algebra_.append(std::move(inst));
        for (std::size_t i = 0; i < results.size(); ++i)
            if (keep[i]) results[i] = next, next = Local(next.index + 1);
        return results;
    }

    Locals loop(const Inst& old, Inst inst) {
        bool counted = inst.op == Op::for_loop;
        Locals inits(inst.operands.begin() + (counted ? 1 : 0), inst.operands.end());
        if (counted) {
            auto count = algebra_.constant(inst.operands[0]);
            if (count && static_cast<std::int64_t>(*count) <= 0) return inits;
            if (count && *count == 1) return only_iteration(old.blocks[0], inits);
        } else if (never_runs(old.blocks[0], inits)) {
            return inits;
        }
        return general_loop(old, std::move(inst), std::move(inits));
    }

    Locals only_iteration(const Block& body, const Locals& inits) {
        Locals params{algebra_.constant(Scalar::i64, 0)};
        params.insert(params.end(), inits.begin(), inits.end());
        return inlined(body, params);
    }

    /// True if the condition is false for the initial states. Instructions that were tried in vain are dropped as unused.
    bool never_runs(const Block& condition, const Locals& inits) {
        for (const Inst& inst : condition.insts)
            if (!inst.blocks.empty()) return false;
        algebra_.open({});
        Local result = inlined(condition, inits)[0];
        bool never = algebra_.constant(result) == std::uint64_t{0};
        algebra_.close({});
        return never;
    }

    /// States that the body passes on unchanged are dropped.
    Locals general_loop(const Inst& old, Inst inst, Locals results) {
        std::size_t before = inst.op == Op::for_loop ? 1 : 0;  // number of the body's parameters before the states
        const Block& body = old.blocks.back();
        std::vector<bool> keep(results.size());
        for (std::size_t i = 0; i < keep.size(); ++i) keep[i] = body.results[i] != Local(locals_.size() + before + i);
        for (const Block& block : old.blocks) inst.blocks.push_back(loop_block(block, before, keep, results));
        filter(inst.blocks.back().results, keep);
        filter(inst.types, keep);
        Locals kept = results;
        filter(kept, keep);
        inst.operands.resize(before);
        inst.operands.insert(inst.operands.end(), kept.begin(), kept.end());
        return with_results(std::move(inst), keep, std::move(results));
    }

    Block loop_block(const Block& old, std::size_t before, const std::vector<bool>& keep, const Locals& inits) {
        std::vector<Scalar> params(old.params.begin() + static_cast<std::ptrdiff_t>(before), old.params.end());
        filter(params, keep);
        params.insert(params.begin(), old.params.begin(), old.params.begin() + static_cast<std::ptrdiff_t>(before));
        Local next = algebra_.open(params);
        Locals values(before, next);
        next = Local(next.index + before);
        for (std::size_t i = 0; i < keep.size(); ++i) {
            values.push_back(keep[i] ? next : inits[i]);
            if (keep[i]) next = Local(next.index + 1);
        }
        return algebra_.close(inlined(old, values));
    }

    Algebra algebra_;
    Locals locals_;
};

}  // namespace

Fn simplify(const Fn& fn) { return canonical({fn.arrays, FunctionSimplifier().run(fn.body)}); }

}  // namespace sinter::opt
