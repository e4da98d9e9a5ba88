// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/lanes/strips.hpp"

namespace sinter::emit {

using ir::Op;
using schedule::Strips;

namespace {

class StripLoop {
  public:
    StripLoop(Blocks& blocks, Memory& memory, const Inst& inst, const std::vector<bool>& vary, const Strips& strips)
        : blocks_(blocks),
          scope_(blocks.scope),
          code_(blocks.code),
          ir(blocks.code.ir),
          memory_(memory),
          inst_(inst),
          body_(inst.blocks[0]),
          vary_(vary),
          strips_(strips) {
        for (std::size_t k = 1; k < inst.operands.size(); ++k)
            like_.push_back(as_variable(code_, scope_.operand(inst, k), vary[k - 1]));
        variables_ = flatten(code_, like_);
        for (std::size_t k = 0; k < body_.insts.size(); ++k)
            if (is_stored(k)) stored_.push_back(body_.insts[k].operands[1]);
    }

    Values run() {
        llvm::Value* n = scope_.operand(inst_, 0).scalars[0];
        llvm::Value* whole = code_.pure({n}, [&] { return ir.CreateAnd(n, code_.i64(-Strips::steps)); });
        code_.loop(code_.i64(0), whole, Strips::steps, variables_, [&](llvm::Value* i) { strip(i); });
        code_.loop(whole, n, 1, variables_, [&](llvm::Value* i) { step(i, {}, nullptr); });
        return unflatten(code_, like_, variables_);
    }

  private:
    bool is_stored(std::size_t k) const { return strips_.of_strip[k] && body_.insts[k].op == Op::store; }

    /// The locals `also`, where the step ends.
    Values step(llvm::Value* i, llvm::ArrayRef<ir::Local> also, const Prepared* prepared) {
        Values params{Value::index(i)};
        params.append(unflatten(code_, like_, variables_));
        llvm::SmallVector<ir::Local, 8> locals(body_.results.begin(), body_.results.end());
        locals.append(also.begin(), also.end());
        Values next = blocks_.locals_of(body_, params, locals, prepared);
        Values rest(next.begin() + static_cast<std::ptrdiff_t>(like_.size()), next.end());
        next.resize(like_.size());
        variables_ = flatten(code_, as_variables(code_, next, vary_));
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
            const Values values = step(ir.CreateAdd(first, code_.i64(s)), stored_, &mine);
            for (std::size_t k = 0; k < values.size(); ++k) stored[k].parts[column] = code_.vector(values[k], 0);
        }
        store(offsets, stored);
    }

    std::size_t column_of(int step) const {
        return static_cast<std::size_t>(strips_.descending ? Strips::steps - 1 - step : step);
    }
    Scalar type_of(const Inst& store) const { return blocks_.kernel.buffers[store.bits].scalar; }

    /// What is loaded, and the offsets of what is stored, in columns, which ascend in memory.
    Prepared load(llvm::Value* first, Values& offsets) {
        const WithColumns with(blocks_, Strips::steps);
        const Scope::Frame frame(scope_);
        Value i = Value::index(strips_.descending ? ir.CreateAdd(first, code_.i64(Strips::steps - 1)) : first);
        i.lane_stride = code_.i64(0);
        i.part_stride = code_.i64(strips_.descending ? -1 : 1);
        scope_.add(i);
        scope_.add_unknown(body_.params.size() - 1);
        Prepared loaded(body_.insts.size());
        for (std::size_t k = 0; k < body_.insts.size(); ++k) {
            const Inst& inst = body_.insts[k];
            if (is_stored(k)) offsets.push_back(scope_.operand(inst, 0));
            const bool now = strips_.offsets[k] || (strips_.of_strip[k] && inst.op == Op::load);
            const Values results = now ? blocks_.emit(inst) : Values(inst.types.size());
            if (strips_.of_strip[k]) loaded[k] = results;
            scope_.add(results);
        }
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
        const WithColumns with(blocks_, Strips::steps);
        std::size_t next = 0;
        for (std::size_t k = 0; k < body_.insts.size(); ++k)
            if (is_stored(k)) memory_.store(body_.insts[k], offsets[next], values[next]), ++next;
    }

    Blocks& blocks_;
    Scope& scope_;
    Code& code_;
    llvm::IRBuilder<>& ir;
    Memory& memory_;
    const Inst& inst_;
    const Block& body_;
    const std::vector<bool>& vary_;
    const Strips& strips_;
    std::vector<ir::Local> stored_;  ///< what a step stores
    Values like_;
    Few variables_;
};

}  // namespace

Values loop_in_strips(Blocks& blocks, Memory& memory, Rows& rows, const Inst& inst, const std::vector<bool>& vary,
                      const Strips& strips) {
    const Rows::Closed closed(rows);
    return StripLoop(blocks, memory, inst, vary, strips).run();
}

}  // namespace sinter::emit
