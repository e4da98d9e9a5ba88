// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/derivative/infinite_locals.hpp"

#include "ir/derivative/partials.hpp"
#include "ir/walk.hpp"

#include <algorithm>

namespace sinter::ir::derivative {

namespace {

/// True for the bit pattern of an infinite number or a NaN.
bool is_infinite(Scalar type, std::uint64_t bits) {
    switch (type) {
        case Scalar::f16:
            return (bits & 0x7c00) == 0x7c00;
        case Scalar::f32:
            return (bits & 0x7f800000) == 0x7f800000;
        default:
            return (bits & 0x7ff0000000000000) == 0x7ff0000000000000;
    }
}

}  // namespace

void InfiniteLocals::define(const Inst& inst, std::size_t level) {
    forget(level);
    const std::vector<bool> flags = results(inst, level);
    infinite_.resize(level);
    for (std::size_t k = 0; k < flags.size(); ++k) infinite_.push_back(flags[k] && detail::is_float(inst.types[k]));
}

std::vector<bool> InfiniteLocals::results(const Inst& inst, std::size_t level) {
    if (inst.op == Op::cond) return branch(inst, level);
    return std::vector(inst.types.size(), uses_infinite(inst));
}

std::vector<bool> InfiniteLocals::branch(const Inst& inst, std::size_t level) {
    std::vector<bool> flags(inst.types.size());
    for (const Block& side : inst.blocks) {
        std::size_t next = level;
        for (const Inst& each : side.insts) {
            define(each, next);
            next += each.types.size();
        }
        for (std::size_t k = 0; k < flags.size(); ++k) flags[k] = flags[k] || (*this)(side.results[k]);
        forget(level);
    }
    return flags;
}

/// True if the instruction makes something infinite, or is applied to it; for loops, if anything in them is or does.
bool InfiniteLocals::uses_infinite(const Inst& inst) const {
    if (inst.blocks.empty() && (inst.types.empty() || !detail::is_float(inst.type()))) return false;
    if (inst.op == Op::read) return inst.bits < slots_.size() && slots_[inst.bits];
    if (inst.op == Op::constant) return is_infinite(inst.type(), inst.bits);
    if (may_be_infinite(inst.op) || std::any_of(inst.operands.begin(), inst.operands.end(), *this)) return true;
    bool found = false;
    for (const Block& block : inst.blocks) {
        for_each_use(block, [&](Local local) { found = found || (*this)(local); });
        for_each_inst(block, [&](const Inst& each) { found = found || uses_infinite(each); });
    }
    return found;
}

std::vector<bool> infinite_results(const Fn& fn, std::vector<bool> params, std::vector<bool> slots) {
    InfiniteLocals infinite(std::move(params), std::move(slots));
    std::size_t level = fn.body.params.size();
    for (const Inst& inst : fn.body.insts) {
        infinite.define(inst, level);
        level += inst.types.size();
    }
    std::vector<bool> flags;
    for (Local result : fn.body.results) flags.push_back(infinite(result));
    return flags;
}

}  // namespace sinter::ir::derivative
