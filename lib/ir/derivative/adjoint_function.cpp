// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function's instructions, followed by the same ones from the last to the first: each passes the adjoint of its result
// on to its operands. A branch becomes a branch whose sides compute what they need again. A loop is not gone back through:
// its Jacobian is computed on the way forward.
#include "ir/derivative/adjoint_function.hpp"

#include "ir/derivative/infinite_locals.hpp"
#include "ir/derivative/loop_jacobian.hpp"
#include "ir/derivative/partials.hpp"
#include "ir/derivative/varied_locals.hpp"
#include "ir/walk.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace sinter::ir::derivative {

namespace {

bool is_loop(const Inst& inst) { return inst.op == Op::for_loop || inst.op == Op::while_loop; }

/// A read whose contribution is known, in terms of the function being written.
struct Contribution {
    std::size_t slot;
    std::vector<Local> index;
    Local value;
    bool always = false;  ///< not in a branch
};

/// A read inside a branch, seen from outside.
struct InnerRead {
    std::size_t slot, rank;
    Scalar type;
};

class Adjoints {
  public:
    Adjoints(BlockBuilder& to, const AdjointPlaces& places)
        : to_(to),
          terms_(to),
          primal_(places.primal),
          adjoints_(places.primal.size()),
          varied_(places.wanted, places.slots),
          recorded_(places.recorded),
          infinite_(places.infinite, places.infinite_slots),
          guarded_(places.infinite.empty() && places.infinite_slots.empty() ? Partial::Kind::factor : Partial::Kind::wild) {}

    /// Copies the block's instructions, seeds its results and goes back through it. Its own locals are then forgotten.
    void run(const Block& block, const std::vector<Term>& cotangents) {
        const std::size_t level = primal_.size();
        forward(block.insts);
        for (std::size_t k = 0; k < block.results.size(); ++k) contribute(block.results[k], cotangents[k]);
        backward(block.insts);
        forget(level);
    }
    /// Copies the block's instructions; returns the locals of its results and what has been computed of its loops.
    std::vector<Local> record(const Block& block) {
        forward(block.insts);
        std::vector<Local> results = primals(block.results);
        for (const auto& [level, jacobian] : loops_) {
            const std::vector<Local> more = jacobian_locals(jacobian);
            results.insert(results.end(), more.begin(), more.end());
        }
        return results;
    }
    const Term& adjoint(std::size_t local) const { return adjoints_[local]; }
    const std::vector<Contribution>& reads() const { return reads_; }
    Terms& terms() { return terms_; }

  private:
    void forward(const std::vector<Inst>& insts);
    std::vector<Local> copied(const Inst& inst);
    /// True if the derivative by operand k may be infinite or NaN because an operand may be, as in a product by it: where
    /// the result is not used, it has the adjoint 0, and 0 is what the operand gets.
    bool has_infinite_factor(const Inst& inst, std::size_t k) const {
        if (inst.op == Op::mul || inst.op == Op::fma) return infinite_(inst.operands[1 - k]);
        return std::any_of(inst.operands.begin(), inst.operands.end(), infinite_);
    }
    void backward(const std::vector<Inst>& insts);
    void backward(const Inst& inst, std::size_t level);
    std::vector<Local> loop(const Inst& inst);
    void pull_loop(const Inst& inst, std::size_t level);
    void branch(const Inst& inst, std::size_t level);
    std::vector<Local> branch_side(const Inst& inst, std::size_t side, std::size_t level, const std::vector<Local>& outer,
                                   const std::vector<std::vector<InnerRead>>& reads);
    void contribute(Local old, const Term& term) {
        if (term && varied_(old)) adjoints_[old.index] = terms_.plus(adjoints_[old.index], term);
    }
    std::vector<Local> primals(const std::vector<Local>& old) const {
        std::vector<Local> locals;
        for (Local local : old) locals.push_back(primal_[local.index]);
        return locals;
    }
    void forget(std::size_t level) {
        primal_.resize(level);
        adjoints_.resize(level);
        varied_.forget(level);
        infinite_.forget(level);
    }
    std::vector<InnerRead> reads_of(const Block& block) const;
    Contribution nothing(const InnerRead& read);
    void leave_out(const Inst& inst);
    std::vector<Local> varied_outside(const Inst& inst, std::size_t level) const;

    BlockBuilder& to_;
    Terms terms_;
    std::vector<Local> primal_;
    std::vector<Term> adjoints_;
    VariedLocals varied_;
    std::vector<Contribution> reads_;
    std::map<std::size_t, LoopJacobian> loops_;  ///< by level
    std::vector<Local> recorded_;                ///< of loops that come next
    InfiniteLocals infinite_;                    ///< of the function
    Partial::Kind guarded_;                      ///< of derivatives that may be infinite where their result is finite
    bool inside_ = false;  ///< in a branch, where each wanted read leaves a contribution, in the order of reads_of()
};

std::vector<Local> Adjoints::copied(const Inst& inst) {
    Block alone;
    alone.insts.push_back(inst);
    for (std::size_t k = 0; k < inst.types.size(); ++k) alone.results.push_back(Local(primal_.size() + k));
    return inline_block(to_, alone, primal_);
}

/// Writes the loop with its Jacobian, unless they are parameters.
std::vector<Local> Adjoints::loop(const Inst& inst) {
    std::vector<Local> inputs = varied_inputs(inst, primal_.size(), varied_);
    check(can_carry_jacobian(inst, varied_, inputs.size()), "a loop that is differentiated in its function");
    LoopJacobian made;
    if (recorded_.empty()) {
        made = loop_with_jacobian(to_, inst, std::move(inputs), primal_);
    } else {
        made = recorded_loop(inst, std::move(inputs), recorded_.front());
        recorded_.erase(recorded_.begin(), recorded_.begin() + static_cast<std::ptrdiff_t>(jacobian_locals(made).size()));
    }
    std::vector<Local> results = made.results;
    loops_[primal_.size()] = std::move(made);
    return results;
}

void Adjoints::forward(const std::vector<Inst>& insts) {
    for (const Inst& inst : insts) {
        const std::vector<Local> results = is_loop(inst) && varied_.reaches(inst) ? loop(inst) : copied(inst);
        varied_.define(inst);
        infinite_.define(inst, primal_.size());
        primal_.insert(primal_.end(), results.begin(), results.end());
        adjoints_.resize(primal_.size());
    }
}

void Adjoints::backward(const std::vector<Inst>& insts) {
    std::size_t level = primal_.size();
    for (std::size_t i = insts.size(); i-- > 0;) {
        level -= insts[i].types.size();
        backward(insts[i], level);
    }
}

/// `level` is that of the instruction's first result.
void Adjoints::backward(const Inst& inst, std::size_t level) {
    auto has_adjoint = [&](std::size_t k) { return adjoints_[level + k].has_value(); };
    bool any = false;
    for (std::size_t k = 0; k < inst.types.size(); ++k) any = any || has_adjoint(k);
    if (!any) return leave_out(inst);
    if (inst.op == Op::cond) return branch(inst, level);
    if (is_loop(inst)) return pull_loop(inst, level);
    const Local adjoint = *adjoints_[level], result = primal_[level];
    const std::vector<Local> operands = primals(inst.operands);
    if (inst.op == Op::read) {
        if (varied_.wants(inst.bits)) reads_.push_back({inst.bits, operands, adjoint, true});
        return;
    }
    for (std::size_t k = 0; k < operands.size(); ++k) {
        if (!varied_(inst.operands[k])) continue;
        Partial factor = partial(terms_, inst, operands, result, k);
        const bool may_be_infinite =
            factor.kind == Partial::Kind::wild || (factor.kind == Partial::Kind::factor && has_infinite_factor(inst, k));
        if (may_be_infinite) factor.kind = guarded_;
        if (factor.kind != Partial::Kind::zero)
            contribute(inst.operands[k], pulled(terms_, factor, adjoint, to_.type(operands[k])));
    }
}

void Adjoints::pull_loop(const Inst& inst, std::size_t level) {
    const auto found = loops_.find(level);
    if (found == loops_.end()) return;
    const LoopJacobian& jacobian = found->second;
    for (std::size_t d = 0; d < jacobian.inputs.size(); ++d) {
        const Local input = jacobian.inputs[d];
        const Scalar type = to_.type(primal_[input.index]);
        for (std::size_t k = 0; k < inst.types.size(); ++k) {
            const Term &adjoint = adjoints_[level + k], &derivative = jacobian.derivatives[d][k];
            if (!adjoint || !derivative) continue;
            // Infinite where the result is not, perhaps: what it is 0 times does not count.
            const Local part = pulled(terms_, {guarded_, *derivative}, *adjoint, inst.types[k]);
            contribute(input, inst.types[k] == type ? part : to_.cast(type, part));
        }
    }
}

/// The wanted reads of a block and of those nested in it, in the order in which branch_side() lists their contributions.
std::vector<InnerRead> Adjoints::reads_of(const Block& block) const {
    std::vector<InnerRead> reads;
    for (auto inst = block.insts.rbegin(); inst != block.insts.rend(); ++inst) {
        if (inst->op == Op::read && varied_.wants(inst->bits))
            reads.push_back({inst->bits, inst->operands.size(), inst->type()});
        for (const Block& nested : inst->blocks) {
            const std::vector<InnerRead> inner = reads_of(nested);
            reads.insert(reads.end(), inner.begin(), inner.end());
        }
    }
    return reads;
}

Contribution Adjoints::nothing(const InnerRead& read) {
    return {read.slot, std::vector(read.rank, to_.constant_index(-1)), terms_.zero(read.type), false};
}

/// Called if the instruction has no adjoint to pass on.
void Adjoints::leave_out(const Inst& inst) {
    if (!inside_) return;
    Block alone;
    alone.insts.push_back(inst);
    for (const InnerRead& read : reads_of(alone)) reads_.push_back(nothing(read));
}

/// The varied locals from outside that the instruction's blocks use.
std::vector<Local> Adjoints::varied_outside(const Inst& inst, std::size_t level) const {
    std::vector<Local> used;
    for (const Block& block : inst.blocks)
        for_each_use(block, [&](Local local) {
            if (local.index < level && varied_(local)) used.push_back(local);
        });
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    return used;
}

void Adjoints::branch(const Inst& inst, std::size_t level) {
    const std::vector<Local> outer = varied_outside(inst, level);
    const std::vector<std::vector<InnerRead>> reads{reads_of(inst.blocks[0]), reads_of(inst.blocks[1])};
    Inst made{Op::cond, {}, 0, {primal_[inst.operands[0].index]}, {}};
    for (Local local : outer) made.types.push_back(to_.type(primal_[local.index]));
    for (const auto& side : reads)
        for (const InnerRead& read : side) {
            made.types.insert(made.types.end(), read.rank, Scalar::i64);
            made.types.push_back(read.type);
        }
    for (std::size_t side = 0; side < 2; ++side) {
        to_.open({});
        made.blocks.push_back(to_.close(branch_side(inst, side, level, outer, reads)));
    }
    if (made.types.empty()) return;
    std::size_t next = to_.emit(std::move(made)).index;
    for (Local local : outer) contribute(local, Local(next++));
    for (const auto& side : reads)
        for (const InnerRead& read : side) {
            Contribution contribution{read.slot, {}, {}, false};
            for (std::size_t axis = 0; axis < read.rank; ++axis) contribution.index.push_back(Local(next++));
            contribution.value = Local(next++);
            reads_.push_back(std::move(contribution));
        }
}

/// What one side contributes to the locals `outer`, then to the reads of both sides. Reads without a contribution are at
/// index -1.
std::vector<Local> Adjoints::branch_side(const Inst& inst, std::size_t side, std::size_t level,
                                         const std::vector<Local>& outer, const std::vector<std::vector<InnerRead>>& reads) {
    Adjoints inner = *this;
    inner.forget(level);
    inner.reads_.clear();
    inner.loops_.clear();
    inner.recorded_.clear();
    inner.inside_ = true;
    std::fill(inner.adjoints_.begin(), inner.adjoints_.end(), std::nullopt);
    const std::vector<Term> cotangents(adjoints_.begin() + static_cast<std::ptrdiff_t>(level),
                                       adjoints_.begin() + static_cast<std::ptrdiff_t>(level + inst.types.size()));
    inner.run(inst.blocks[side], cotangents);
    std::vector<Local> results;
    for (Local local : outer)
        results.push_back(inner.terms_.or_zero(inner.adjoints_[local.index], to_.type(primal_[local.index])));
    for (std::size_t of = 0; of < 2; ++of) {
        std::size_t next = 0;
        for (const InnerRead& read : reads[of]) {
            const Contribution made = of == side ? inner.reads_[next++] : nothing(read);
            results.insert(results.end(), made.index.begin(), made.index.end());
            results.push_back(made.value);
        }
    }
    return results;
}

}  // namespace

Adjoint adjoint_function(const Fn& fn, const AdjointPlaces& places) {
    BlockBuilder builder;
    builder.open(places.params);
    Adjoints adjoints(builder, places);
    adjoints.run(fn.body, places.cotangents);
    Adjoint made{{fn.arrays, {}}, std::vector<std::optional<std::size_t>>(places.primal.size()), {}};
    std::vector<Local> results;
    for (std::size_t k = 0; k < places.primal.size(); ++k) {
        if (!adjoints.adjoint(k)) continue;
        made.params[k] = results.size();
        results.push_back(*adjoints.adjoint(k));
    }
    for (const Contribution& read : adjoints.reads()) {
        made.reads.push_back({read.slot, results.size(), read.always});
        results.insert(results.end(), read.index.begin(), read.index.end());
        results.push_back(read.value);
    }
    made.fn.body = builder.close(std::move(results));
    made.fn = canonical(made.fn);
    return made;
}

std::optional<Fn> recorded_function(const Fn& fn, const std::vector<bool>& params, const std::vector<bool>& slots) {
    AdjointPlaces places;
    for (Scalar param : fn.body.params) places.primal.push_back(places.add(param));
    places.wanted = params;
    places.slots = slots;
    BlockBuilder builder;
    builder.open(places.params);
    std::vector<Local> results = Adjoints(builder, places).record(fn.body);
    if (results.size() == fn.result_count()) return std::nullopt;
    return canonical({fn.arrays, builder.close(std::move(results))});
}

}  // namespace sinter::ir::derivative
