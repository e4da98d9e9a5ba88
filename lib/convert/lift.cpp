// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two walks in the same order. The first finds the constants to lift and numbers instructions by occurrence, because sibling
// blocks reuse levels. The second copies the function: constants that became parameters vanish, and everything else is
// renumbered.
#include "convert/lift.hpp"

#include "convert/tuning.hpp"
#include "ir/op.hpp"
#include "ir/walk.hpp"

#include <algorithm>

namespace sinter::convert {

namespace {

using ir::Block;
using ir::Inst;
using ir::Local;
using ir::Op;
using ir::Scalar;

bool is_special_float(Scalar scalar, std::uint64_t bits) {
    struct Format {
        std::uint64_t sign, infinity, one, exponent_step;
    };
    constexpr Format f16{0x8000, 0x7c00, 0x3c00, 0x0400};
    constexpr Format f32{0x80000000, 0x7f800000, 0x3f800000, 0x00800000};
    constexpr Format f64{0x8000000000000000, 0x7ff0000000000000, 0x3ff0000000000000, 0x0010000000000000};
    const Format& f = scalar == Scalar::f16 ? f16 : scalar == Scalar::f32 ? f32 : f64;
    std::uint64_t magnitude = bits & ~f.sign;
    return magnitude == 0 || magnitude >= f.infinity || magnitude == f.one || magnitude == f.one + f.exponent_step ||
           magnitude == f.one - f.exponent_step;
}

bool needs_constant_divisor(Op op) {
    return op == Op::div || op == Op::rem || op == Op::shift_left || op == Op::shift_right;
}

bool has_lifted(const Block& block) {
    return ir::any_inst(block,
                        [](const Inst& inst) { return inst.op == Op::constant && is_lifted({inst.type(), inst.bits}); });
}

class Lifting {
  public:
    explicit Lifting(const ir::Fn& fn) : fn_(fn) {}

    LiftedFn run() {
        find(fn_.body);
        if (std::none_of(lifted_.begin(), lifted_.end(), [](bool b) { return b; })) return {fn_, {}};
        collect();
        if (out_.literals.size() > tuning::most_lifted) return {fn_, {}};
        out_.fn.arrays = fn_.arrays;
        next_ = 0;
        out_.fn.body = copy(fn_.body, out_.literals);
        return std::move(out_);
    }

  private:
    void find(const Block& block);
    void collect();
    Block copy(const Block& block, const std::vector<LiteralValue>& extra);
    void copy(const Inst& inst, Block& to);
    void rename(std::vector<Local>& locals) const {
        for (Local& local : locals) local = renamed_[local.index];
    }

    const ir::Fn& fn_;
    LiftedFn out_;
    std::vector<const Inst*> order_;       ///< all instructions by occurrence
    std::vector<bool> lifted_;             ///< one per instruction
    std::vector<std::uint32_t> defining_;  ///< one per local in scope: the occurrence of its instruction
    std::vector<Local> renamed_;           ///< one per local in scope
    std::size_t next_ = 0;                 ///< occurrence that the copy has reached
    std::size_t level_ = 0;                ///< level of the copy
};

void Lifting::find(const Block& block) {
    constexpr std::uint32_t parameter = ~0u;
    std::size_t level = defining_.size();
    defining_.resize(level + block.params.size(), parameter);
    for (const Inst& inst : block.insts) {
        auto occurrence = static_cast<std::uint32_t>(order_.size());
        order_.push_back(&inst);
        lifted_.push_back(inst.op == Op::constant && is_lifted({inst.type(), inst.bits}));
        if (needs_constant_divisor(inst.op) && detail::is_integer(inst.type()))
            if (std::uint32_t divisor = defining_[inst.operands[1].index]; divisor != parameter) lifted_[divisor] = false;
        for (const Block& nested : inst.blocks) find(nested);
        defining_.resize(defining_.size() + inst.types.size(), occurrence);
    }
    defining_.resize(level);
}

void Lifting::collect() {
    for (std::size_t k = 0; k < order_.size(); ++k) {
        if (!lifted_[k]) continue;
        LiteralValue literal{order_[k]->type(), order_[k]->bits};
        if (std::find(out_.literals.begin(), out_.literals.end(), literal) == out_.literals.end())
            out_.literals.push_back(literal);
        if (out_.literals.size() > tuning::most_lifted) return;
    }
}

void Lifting::copy(const Inst& inst, Block& to) {
    std::size_t occurrence = next_++;
    if (lifted_[occurrence]) {
        LiteralValue literal{inst.type(), inst.bits};
        auto position = std::find(out_.literals.begin(), out_.literals.end(), literal) - out_.literals.begin();
        renamed_.push_back(Local(fn_.body.params.size() + static_cast<std::size_t>(position)));
        return;
    }
    Inst made{inst.op, inst.types, inst.bits, inst.operands, {}};
    rename(made.operands);
    made.blocks.reserve(inst.blocks.size());
    for (const Block& nested : inst.blocks) made.blocks.push_back(copy(nested, {}));
    for (std::size_t k = 0; k < inst.types.size(); ++k) renamed_.push_back(Local(level_++));
    to.insts.push_back(std::move(made));
}

Block Lifting::copy(const Block& block, const std::vector<LiteralValue>& extra) {
    std::size_t old_level = renamed_.size(), new_level = level_;
    Block made;
    made.params = block.params;
    for (std::size_t k = 0; k < block.params.size(); ++k) renamed_.push_back(Local(level_++));
    for (const LiteralValue& literal : extra) made.params.push_back(literal.scalar), ++level_;
    made.insts.reserve(block.insts.size());
    for (const Inst& inst : block.insts) copy(inst, made);
    made.results = block.results;
    rename(made.results);
    renamed_.resize(old_level);
    level_ = new_level;
    return made;
}

}  // namespace

bool is_lifted(LiteralValue literal) {
    if (detail::is_float(literal.scalar)) return !is_special_float(literal.scalar, literal.bits);
    if (!detail::is_integer(literal.scalar)) return false;
    if (detail::is_unsigned_integer(literal.scalar)) return literal.bits > std::uint64_t{tuning::small_number};
    int unused = 64 - detail::bits_of(literal.scalar);
    auto value = static_cast<std::int64_t>(literal.bits << unused) >> unused;
    return value > tuning::small_number || value < -tuning::small_number;
}

bool has_lifted_literals(const ir::Fn& fn) { return has_lifted(fn.body); }

LiftedFn lift(const ir::Fn& fn) { return Lifting(fn).run(); }

}  // namespace sinter::convert
