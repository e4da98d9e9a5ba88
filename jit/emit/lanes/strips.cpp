// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/lanes/strips.hpp"

#include "schedule/tuning.hpp"

#include <algorithm>
#include <optional>

namespace sinter::emit {

using ir::Op;
using schedule::AlongLines;
using schedule::Strips;
using schedule::tuning::steps_along_lines;

namespace {

/// While this lives, no lanes are open, and what a block uses from outside is as in one of them.
class InLane {
  public:
    InLane(Blocks& blocks, const Block& block, llvm::Value* lane)
        : with_(blocks.code, single()), blocks_(blocks), saved_(blocks.scope) {
        for (const Inst& inst : block.insts)
            for (ir::Local l : inst.operands)
                if (l.index < saved_.size() && blocks.scope.varies(l)) blocks.scope.set(l, of_lane(saved_[l], lane));
    }
    ~InLane() { blocks_.scope = std::move(saved_); }
    InLane(const InLane&) = delete;
    InLane& operator=(const InLane&) = delete;

  private:
    static Lanes single() {
        Lanes lanes;
        lanes.open = true;
        return lanes;
    }
    Value of_lane(const Value& v, llvm::Value* lane) const {
        Code& code = blocks_.code;
        if (v.is_varying()) return Value::uniform(v.type, code.ir.CreateExtractElement(v.parts[0], lane), v.bits);
        return Value::uniform(v.type, code.add(v.scalars[0], code.mul(v.lane_stride, lane)), v.bits);
    }

    const WithLanes with_;
    Blocks& blocks_;
    Scope saved_;
};

/// What steps need that is computed along lines: each value a matrix with a row for each line.
class AheadOfSteps {
  public:
    AheadOfSteps(Blocks& blocks, Memory& memory, LaneLoops& lanes, const AlongLines& along)
        : blocks_(blocks), code_(blocks.code), ir(blocks.code.ir), memory_(memory), lanes_(lanes), along_(along) {
        std::size_t level = blocks.scope.size() + along.block.params.size();
        std::vector<Scalar> types;
        for (const Inst& inst : along.block.insts) types.push_back(inst.type());
        for (std::size_t k = 0; k < along.made.size(); ++k) {
            types_.push_back(types[along.block.results[k].index - level]);
            matrices_.push_back(code_.slot(code_.memory_type(types_[k]), width() * steps_along_lines));
        }
    }

    /// Computes those of steps [begin, end), of which there are no more than a row has elements.
    void make(llvm::Value* begin, llvm::Value* end) {
        begin_ = begin;
        Few none;
        code_.loop(code_.i64(0), code_.i64(width()), 1, none, [&](llvm::Value* lane) {
            Lanes shape;
            shape.width = code_.lanes.width;
            shape.open = true;
            const InLane in(blocks_, along_.block, lane);
            llvm::Value* row = ir.CreateMul(lane, code_.i64(steps_along_lines));
            lanes_.emit({along_.block, {}, begin, end}, shape, none,
                        [&](Stage, const Values& results) { store(row, results); });
        });
    }

    /// By instruction of the body, for several steps from this one on, which are columns.
    void load(llvm::Value* step, bool descending, Prepared& loaded) const {
        llvm::Value* first = ir.CreateSub(step, begin_);
        for (std::size_t k = 0; k < types_.size(); ++k) {
            llvm::Value* matrix = ir.CreateInBoundsGEP(code_.memory_type(types_[k]), matrices_[k], first);
            Few parts = memory_.load_columns(types_[k], matrix, steps_along_lines);
            if (descending) std::reverse(parts.begin(), parts.end());
            loaded[along_.made[k]] = Values{Value::varying(types_[k], std::move(parts))};
        }
    }

  private:
    int width() const { return code_.lanes.width; }

    /// Whole vectors, also under a mask: rows have room for them, because vectors begin at multiples of their width from the
    /// row's beginning, in order.
    static_assert(steps_along_lines % schedule::tuning::most_lanes == 0 && steps_along_lines % Strips::steps == 0);
    void store(llvm::Value* row, const Values& results) {
        llvm::Value* at = ir.CreateAdd(row, ir.CreateSub(results.back().scalars[0], begin_));
        for (std::size_t k = 0; k < types_.size(); ++k) {
            llvm::Value* value = code_.vector(results[k], 0);
            if (types_[k] == Scalar::boolean) value = ir.CreateZExt(value, value->getType()->getWithNewType(ir.getInt8Ty()));
            ir.CreateAlignedStore(value, ir.CreateInBoundsGEP(code_.memory_type(types_[k]), matrices_[k], at),
                                  align_of(types_[k]));
        }
    }

    Blocks& blocks_;
    Code& code_;
    llvm::IRBuilder<>& ir;
    Memory& memory_;
    LaneLoops& lanes_;
    const AlongLines& along_;
    std::vector<Scalar> types_;
    Few matrices_;
    llvm::Value* begin_ = nullptr;
};

class StripLoop {
  public:
    StripLoop(Blocks& blocks, Memory& memory, LaneLoops& lanes, const Inst& inst, const std::vector<bool>& vary,
              const Strips& strips)
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
        if (strips.along) ahead_.emplace(blocks, memory, lanes, *strips.along);
    }

    Values run() {
        llvm::Value* n = scope_.operand(inst_, 0).scalars[0];
        llvm::Value* whole = code_.pure({n}, [&] { return ir.CreateAnd(n, code_.i64(-Strips::steps)); });
        if (ahead_)
            code_.loop(code_.i64(0), whole, steps_along_lines, variables_, [&](llvm::Value* begin) {
                llvm::Value* behind = ir.CreateAdd(begin, code_.i64(steps_along_lines));
                llvm::Value* end = ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, behind, whole);
                ahead_->make(begin, end);
                strips(begin, end);
            });
        else
            strips(code_.i64(0), whole);
        code_.loop(whole, n, 1, variables_, [&](llvm::Value* i) { step(i, {}, nullptr); });
        return unflatten(code_, like_, variables_);
    }

  private:
    void strips(llvm::Value* begin, llvm::Value* end) {
        code_.loop(begin, end, Strips::steps, variables_, [&](llvm::Value* i) { strip(i); });
    }

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

    bool is_made_ahead(std::size_t k) const { return strips_.along && strips_.along->only_here[k]; }

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
            if (strips_.of_strip[k] || is_made_ahead(k)) loaded[k] = results;
            scope_.add(results);
        }
        if (ahead_) ahead_->load(first, strips_.descending, loaded);
        return loaded;
    }

    static Prepared of_column(const Prepared& all, std::size_t column) {
        Prepared mine = all;
        for (auto& results : mine)
            if (results)
                for (Value& v : *results)
                    if (v.is_varying()) v.parts = {v.parts[column]};
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
    std::optional<AheadOfSteps> ahead_;
    std::vector<ir::Local> stored_;  ///< what a step stores
    Values like_;
    Few variables_;
};

}  // namespace

Values loop_in_strips(Blocks& blocks, Memory& memory, Rows& rows, LaneLoops& lanes, const Inst& inst,
                      const std::vector<bool>& vary, const Strips& strips) {
    const Rows::Closed closed(rows);
    return StripLoop(blocks, memory, lanes, inst, vary, strips).run();
}

}  // namespace sinter::emit
