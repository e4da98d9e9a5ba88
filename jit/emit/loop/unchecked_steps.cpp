// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/loop/unchecked_steps.hpp"

#include "ir/op.hpp"
#include "schedule/tuning.hpp"

#include <algorithm>
#include <limits>

namespace sinter::emit {

namespace {

using ir::Local;
using ir::Op;

/// By how much a local grows from step to step; nothing if that varies.
using Stride = std::optional<std::int64_t>;

class Steps {
  public:
    Steps(Blocks& blocks, const Inst& loop)
        : blocks_(blocks), scope_(blocks.scope), code_(blocks.code), body_(loop.blocks[0]), base_(scope_.size()) {
        add(1);  // the counter
        for (std::size_t k = 1; k < body_.params.size(); ++k) add(std::nullopt);
        for (const Inst& inst : body_.insts) {
            firsts_.push_back(base_ + strides_.size());
            const Stride stride = stride_of(inst);
            for (std::size_t k = 0; k < inst.types.size(); ++k) add(stride);
        }
        find_needed();
    }

    bool has_checks() const { return has_checks_; }

    /// Emits the indices of step 0, and from them the first step in which a check fails.
    UncheckedSteps find(llvm::Value* count) {
        UncheckedSteps result{count, blocks_.idle()};
        const Scope::Frame frame(scope_);
        scope_.add(Value::index(code_.i64(0)));
        scope_.add_unknown(body_.params.size() - 1);
        for (std::size_t k = 0; k < body_.insts.size(); ++k) {
            const Inst& inst = body_.insts[k];
            if (!needed_[k]) {
                scope_.add_unknown(inst.types.size());
            } else if (inst.op != Op::check_index) {
                scope_.add(blocks_.emit(inst));
            } else {
                const Value index = scope_.operand(inst, 0);
                if (is_even_check(inst)) {
                    llvm::Value* steps =
                        good_steps(index.scalars[0], scope_.operand(inst, 1).scalars[0], *stride(inst.operands[0]));
                    result.count = code_.ir.CreateBinaryIntrinsic(llvm::Intrinsic::smin, result.count, steps);
                    result.idle[&inst] = Idle::keeps;
                }
                scope_.add(index);
            }
        }
        return result;
    }

  private:
    void add(Stride stride) { strides_.push_back(stride); }

    Stride stride(Local local) const {
        if (local.index < base_) return scope_[local].is_uniform() ? Stride(0) : std::nullopt;
        return strides_[local.index - base_];
    }

    std::optional<std::int64_t> constant(Local local) const {
        if (local.index < base_) {
            const Value& value = scope_[local];
            const auto* number = value.is_uniform() ? llvm::dyn_cast<llvm::ConstantInt>(value.scalars[0]) : nullptr;
            return number && number->getBitWidth() == 64 ? std::optional(number->getSExtValue()) : std::nullopt;
        }
        const auto found = std::find(firsts_.begin(), firsts_.end(), local.index);
        if (found == firsts_.end()) return std::nullopt;
        const Inst& inst = body_.insts[static_cast<std::size_t>(found - firsts_.begin())];
        return inst.op == Op::constant ? std::optional(static_cast<std::int64_t>(inst.bits)) : std::nullopt;
    }

    Stride stride_of(const Inst& inst) const {
        if (inst.op == Op::constant || inst.op == Op::size) return 0;
        if (inst.types.size() != 1 || inst.operands.empty()) return std::nullopt;
        if (inst.op == Op::check_index)
            return stride(inst.operands[1]) == Stride(0) ? stride(inst.operands[0]) : std::nullopt;
        if (!ir::is_pure(inst.op)) return std::nullopt;
        const auto is_fixed = [&](Local local) { return stride(local) == Stride(0); };
        if (std::all_of(inst.operands.begin(), inst.operands.end(), is_fixed)) return 0;
        return inst.type() == ir::Scalar::i64 && inst.operands.size() == 2 ? stride_of_index(inst) : std::nullopt;
    }

    /// Numbers wrap, and so do strides: steps are counted only where an index of step 0 is inside, from where it gets
    /// outside before it wraps.
    Stride stride_of_index(const Inst& inst) const {
        const Stride left = stride(inst.operands[0]), right = stride(inst.operands[1]);
        if (!left || !right) return std::nullopt;
        std::int64_t result = 0;
        bool overflows = false;
        if (inst.op == Op::add) {
            overflows = __builtin_add_overflow(*left, *right, &result);
        } else if (inst.op == Op::sub) {
            overflows = __builtin_sub_overflow(*left, *right, &result);
        } else if (inst.op == Op::mul) {
            const bool is_left = *left != 0;
            const auto factor = constant(inst.operands[is_left ? 1 : 0]);
            if (!factor) return std::nullopt;
            overflows = __builtin_mul_overflow(is_left ? *left : *right, *factor, &result);
        } else {
            return std::nullopt;
        }
        return overflows || result == std::numeric_limits<std::int64_t>::min() ? std::nullopt : Stride(result);
    }

    bool is_even_check(const Inst& inst) const {
        return inst.op == Op::check_index && stride(inst.operands[0]) && stride(inst.operands[1]) == Stride(0);
    }

    void find_needed() {
        needed_.assign(body_.insts.size(), false);
        for (std::size_t k = needed_.size(); k-- > 0;) {
            const Inst& inst = body_.insts[k];
            if (is_even_check(inst)) needed_[k] = has_checks_ = true;
            if (needed_[k])
                for (Local local : inst.operands) need(local);
        }
    }

    void need(Local local) {
        for (std::size_t k = 0; k < firsts_.size(); ++k)
            if (firsts_[k] <= local.index && local.index < firsts_[k] + body_.insts[k].types.size()) needed_[k] = true;
    }

    /// The steps in which index + step * stride is inside.
    llvm::Value* good_steps(llvm::Value* index, llvm::Value* extent, std::int64_t stride) const {
        llvm::IRBuilder<>& ir = code_.ir;
        llvm::Value* steps = code_.i64(std::numeric_limits<std::int64_t>::max());
        if (stride != 0) {
            llvm::Value* last = stride > 0 ? ir.CreateSub(ir.CreateSub(extent, index), code_.i64(1)) : index;  // steps of 1
            steps = ir.CreateAdd(ir.CreateUDiv(last, code_.i64(std::abs(stride))), code_.i64(1));
        }
        return ir.CreateSelect(ir.CreateICmpULT(index, extent), steps, code_.i64(0));
    }

    Blocks& blocks_;
    Scope& scope_;
    Code& code_;
    const Block& body_;
    std::size_t base_;
    std::vector<Stride> strides_;      ///< by local of the body
    std::vector<std::size_t> firsts_;  ///< by instruction: its first result
    std::vector<bool> needed_;         ///< by instruction: for checks
    bool has_checks_ = false;
};

}  // namespace

std::optional<UncheckedSteps> unchecked_steps(Blocks& blocks, const Inst& loop) {
    const std::vector<Inst>& insts = loop.blocks[0].insts;
    const auto is_simple = [](const Inst& inst) { return inst.blocks.empty(); };
    if (blocks.code.lanes.vector() || insts.size() > schedule::tuning::most_in_unchecked_step ||
        !std::all_of(insts.begin(), insts.end(), is_simple))
        return std::nullopt;
    Steps steps(blocks, loop);
    return steps.has_checks() ? std::optional(steps.find(blocks.scope.operand(loop, 0).scalars[0])) : std::nullopt;
}

}  // namespace sinter::emit
