// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/loop/divergent_loop.hpp"

#include "jit/emit/code/masks.hpp"

namespace sinter::emit {

using ir::Op;

namespace {

/// The conditions that all have to be true for the block's result to be true: operands of bit_and in the block, which starts
/// at `level`.
std::vector<ir::Local> conjuncts(const Block& b, std::size_t level) {
    llvm::DenseMap<std::size_t, const Inst*> definitions;
    level += b.params.size();
    for (const Inst& inst : b.insts) {
        if (inst.op == Op::bit_and && inst.type() == Scalar::boolean) definitions[level] = &inst;
        level += inst.types.size();
    }
    std::vector<ir::Local> terms = b.results;
    for (std::size_t k = 0; k < terms.size();) {
        auto both = definitions.find(terms[k].index);
        if (both == definitions.end()) {
            ++k;
            continue;
        }
        terms[k] = both->second->operands[0];
        terms.push_back(both->second->operands[1]);
    }
    return terms;
}

/// A state that lanes keep when they end, although it is one scalar while they are active. Without mask registers it is as
/// wide as a mask, which then needs no conversion.
class Kept {
  public:
    Kept(Code& code, Scalar type) : code_(code), type_(type) {
        const bool widen = !code.machine.mask_registers && detail::bits_of(type) < code.lane_bits();
        wide_ = type == Scalar::boolean || widen;
    }

    llvm::Value* lanes(llvm::Value* scalar) const {
        llvm::IRBuilder<>& ir = code_.ir;
        if (type_ == Scalar::boolean) return code_.wide(code_.splat(scalar));
        if (!wide_) return code_.splat(scalar);
        auto* bits = ir.CreateBitCast(scalar, ir.getIntNTy(static_cast<unsigned>(detail::bits_of(type_))));
        return code_.splat(ir.CreateZExt(bits, code_.wide_type()->getScalarType()));
    }

    Value value(Few lanes) const {
        if (type_ == Scalar::boolean) return code_.from_phi(type_, lanes);
        if (wide_)
            for (llvm::Value*& part : lanes) part = narrowed(part);
        return Value::varying(type_, std::move(lanes));
    }

  private:
    llvm::Value* narrowed(llvm::Value* part) const {
        llvm::IRBuilder<>& ir = code_.ir;
        auto* bits = ir.getIntNTy(static_cast<unsigned>(detail::bits_of(type_)));
        return ir.CreateBitCast(ir.CreateTrunc(part, code_.vector_of(bits)), code_.vector_of(code_.type(type_)));
    }

    Code& code_;
    Scalar type_;
    bool wide_;
};

class DivergentLoop {
  public:
    DivergentLoop(Blocks& blocks, const Inst& inst, const std::vector<bool>& vary)
        : blocks_(blocks),
          scope_(blocks.scope),
          code_(blocks.code),
          ir(blocks.code.ir),
          inst_(inst),
          used_(blocks.used()),
          counts_(inst.op == Op::for_loop) {
        const std::size_t first = counts_ ? 1 : 0;
        for (std::size_t k = 0; k < inst.types.size(); ++k) {
            const Value& init = scope_.operand(inst, first + k);
            in_step_.push_back(!vary[k]);
            like_.push_back(as_variable(code_, init, vary[k]));
        }
        if (counts_) count_ = scope_.operand(inst, 0);
        variables_ = flatten(code_, like_);
        states_ = variables_.size();
        for (std::size_t k = 0; k < like_.size(); ++k)
            if (is_kept(k)) variables_.append(static_cast<std::size_t>(parts()), kept(k).lanes(like_[k].scalars[0]));
        masks_ = variables_.size();
        variables_.append(active_lanes(code_));
        if (counts_) variables_.push_back(code_.i64(0));
    }

    Values run() {
        code_.loop_from_top(variables_, [&] { return again(); }, [&] { step(); });
        Values results = now();
        std::size_t at = states_;
        for (std::size_t k = 0; k < results.size(); ++k) {
            if (!is_kept(k)) continue;
            results[k] = kept(k).value(Few(variables_.begin() + at, variables_.begin() + at + parts()));
            at += static_cast<std::size_t>(parts());
        }
        return results;
    }

  private:
    int parts() const { return code_.lanes.parts(); }
    bool is_kept(std::size_t k) const { return in_step_[k] && used_[k]; }
    Kept kept(std::size_t k) const { return Kept(code_, like_[k].type); }
    Values now() { return unflatten(code_, like_, llvm::ArrayRef(variables_).take_front(states_)); }

    Lanes under(const Few& mask) const {
        Lanes lanes = code_.lanes;
        lanes.mask = mask;
        lanes.full = nullptr;
        return lanes;
    }

    /// True if any lane has another iteration; leaves these lanes in still_.
    llvm::Value* again() {
        still_ = Few(variables_.begin() + masks_, variables_.begin() + masks_ + parts());
        const WithLanes with(code_, under(still_));
        llvm::Value* all = nullptr;
        for (const Value& term : counts_ ? Values{inside()} : conditions()) {
            if (term.is_uniform())
                all = all ? ir.CreateAnd(all, term.scalars[0]) : term.scalars[0];
            else
                still_ = mask_and(code_, still_, term);
        }
        Few narrow;
        for (llvm::Value* m : still_) narrow.push_back(code_.narrow(m));
        llvm::Value* any = code_.any(narrow);
        return all ? ir.CreateAnd(any, all) : any;
    }

    Value inside() {
        const Value i = Value::index(variables_.back());
        return code_.apply(Scalar::boolean, {&i, &count_},
                           [&](llvm::ArrayRef<llvm::Value*> v) { return ir.CreateICmpSLT(v[0], v[1]); });
    }

    Values conditions() { return blocks_.locals_of(inst_.blocks[0], now(), conjuncts(inst_.blocks[0], scope_.size())); }

    void step() {
        const WithLanes with(code_, under(still_));
        const Values before = now();
        Values params = before;
        if (counts_) params.insert(params.begin(), Value::index(variables_.back()));
        Values next = blocks_.block(inst_.blocks[counts_ ? 0 : 1], params);
        Few captured;
        std::size_t at = states_;
        for (std::size_t k = 0; k < next.size(); ++k) {
            if (in_step_[k]) {
                if (is_kept(k)) keep(kept(k).lanes(next[k].scalars[0]), at, captured);
                continue;
            }
            next[k] = code_.make_varying(next[k]);
            if (used_[k])
                for (int p = 0; p < parts(); ++p) blend(next[k].parts[static_cast<std::size_t>(p)], before[k], p);
        }
        llvm::Value* i = counts_ ? ir.CreateAdd(variables_.back(), code_.i64(1)) : nullptr;
        variables_ = flatten(code_, next);
        variables_.append(captured);
        variables_.append(still_);
        if (counts_) variables_.push_back(i);
    }

    void blend(llvm::Value*& part, const Value& before, int p) {
        part = ir.CreateSelect(code_.mask(p), part, before.parts[static_cast<std::size_t>(p)]);
    }

    void keep(llvm::Value* lanes, std::size_t& at, Few& captured) {
        for (int p = 0; p < parts(); ++p) captured.push_back(ir.CreateSelect(code_.mask(p), lanes, variables_[at++]));
    }

    Blocks& blocks_;
    Scope& scope_;
    Code& code_;
    llvm::IRBuilder<>& ir;
    const Inst& inst_;
    const std::vector<bool> used_;
    const bool counts_;
    Value count_;
    std::vector<bool> in_step_;
    Values like_;
    Few variables_;  ///< states, kept lanes, masks, the index of a for_loop
    std::size_t states_, masks_;
    Few still_;
};

}  // namespace

Values divergent_loop(Blocks& blocks, const Inst& inst, const std::vector<bool>& vary) {
    return DivergentLoop(blocks, inst, vary).run();
}

}  // namespace sinter::emit
