// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strips of the steps of a sequential loop (schedule/strips.hpp): the steps are columns where their elements are loaded and
// stored, and one after another in between.
#include "jit/emit/body/emitter.hpp"

#include <utility>

namespace sinter::emit {

using ir::Op;
using schedule::Strips;

class Emitter::StripLoop {
  public:
    StripLoop(Emitter& emitter, const Inst& inst, const StatePatterns& patterns, const Strips& strips)
        : e_(emitter),
          code_(emitter.code_),
          ir(emitter.ir),
          inst_(inst),
          body_(inst.blocks[0]),
          patterns_(patterns),
          strips_(strips),
          step_(body_) {
        for (std::size_t k = 1; k < inst.operands.size(); ++k)
            like_.push_back(e_.as(e_.operand(inst, k), patterns.states[k - 1]));
        variables_ = flatten(code_, like_);
        for (std::size_t k = 0; k < body_.insts.size(); ++k)
            if (is_stored(k)) step_.results.push_back(body_.insts[k].operands[1]);
    }

    Values run() {
        const bool was = std::exchange(e_.in_rows_, false);
        llvm::Value* n = e_.operand(inst_, 0).scalars[0];
        llvm::Value* whole = code_.pure({n}, [&] { return ir.CreateAnd(n, code_.i64(-Strips::steps)); });
        code_.loop(code_.i64(0), whole, Strips::steps, variables_, [&](llvm::Value* i) { strip(i); });
        code_.loop(whole, n, 1, variables_, [&](llvm::Value* i) { step(body_, i, nullptr); });
        e_.in_rows_ = was;
        return unflatten(code_, like_, variables_);
    }

  private:
    bool is_stored(std::size_t k) const { return strips_.of_strip[k] && body_.insts[k].op == Op::store; }

    /// Results of the block behind the states.
    Values step(const Block& block, llvm::Value* i, const Prepared* prepared) {
        Values params{e_.index(i)};
        params.append(unflatten(code_, like_, variables_));
        Values next = e_.block(block, params, prepared);
        Values rest(next.begin() + static_cast<std::ptrdiff_t>(like_.size()), next.end());
        next.resize(like_.size());
        for (std::size_t k = 0; k < next.size(); ++k) next[k] = e_.as(next[k], patterns_.states[k]);
        variables_ = flatten(code_, next);
        return rest;
    }

    void strip(llvm::Value* first) {
        Values offsets;
        const Prepared loaded = load(first, offsets);
        Values stored;
        for (std::size_t k = 0; k < body_.insts.size(); ++k)
            if (is_stored(k)) stored.push_back(Value::varying(type_of(body_.insts[k]), Few(Strips::steps, nullptr)));
        for (int s = 0; s < Strips::steps; ++s) {
            const std::size_t column = column_of(s);
            const Prepared mine = of_column(loaded, column);
            const Values values = step(step_, ir.CreateAdd(first, code_.i64(s)), &mine);
            for (std::size_t k = 0; k < values.size(); ++k) stored[k].parts[column] = code_.vector(values[k], 0);
        }
        store(offsets, stored);
    }

    std::size_t column_of(int step) const {
        return static_cast<std::size_t>(strips_.descending ? Strips::steps - 1 - step : step);
    }
    Scalar type_of(const Inst& store) const { return e_.kernel_.buffers[store.bits].scalar; }

    /// What is loaded, and where is stored, in columns. They ascend in memory.
    Prepared load(llvm::Value* first, Values& offsets) {
        const WithColumns with(e_, Strips::steps);
        const std::size_t base = e_.env_.size();
        Value i = e_.index(strips_.descending ? ir.CreateAdd(first, code_.i64(Strips::steps - 1)) : first);
        i.lane_stride = code_.i64(0);
        i.part_stride = code_.i64(strips_.descending ? -1 : 1);
        e_.env_.push_back(i);
        e_.env_.resize(base + body_.params.size());
        Prepared loaded(body_.insts.size());
        for (std::size_t k = 0; k < body_.insts.size(); ++k) {
            const Inst& inst = body_.insts[k];
            if (is_stored(k)) offsets.push_back(e_.operand(inst, 0));
            const bool now = strips_.offsets[k] || (strips_.of_strip[k] && inst.op == Op::load);
            const Values results = now ? e_.emit(inst) : Values(inst.types.size());
            if (strips_.of_strip[k]) loaded[k] = results;
            e_.env_.insert(e_.env_.end(), results.begin(), results.end());
        }
        e_.env_.resize(base);
        return loaded;
    }

    static Prepared of_column(const Prepared& all, std::size_t column) {
        Prepared mine = all;
        for (auto& results : mine)
            if (results)
                for (Value& v : *results) v.parts = {v.parts[column]};
        return mine;
    }

    void store(const Values& offsets, const Values& values) {
        const WithColumns with(e_, Strips::steps);
        std::size_t next = 0;
        for (std::size_t k = 0; k < body_.insts.size(); ++k)
            if (is_stored(k)) e_.store(body_.insts[k], offsets[next], values[next]), ++next;
    }

    Emitter& e_;
    Code& code_;
    llvm::IRBuilder<>& ir;
    const Inst& inst_;
    const Block& body_;
    const StatePatterns& patterns_;
    const Strips& strips_;
    Block step_;  ///< the body, and what it stores as results
    Values like_;
    Few variables_;
};

Values Emitter::strips_for(const Inst& inst, const StatePatterns& patterns, const Strips& strips) {
    return StripLoop(*this, inst, patterns, strips).run();
}

}  // namespace sinter::emit
