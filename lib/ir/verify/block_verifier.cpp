// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/verify/block_verifier.hpp"

#include "support/check.hpp"

#include <fmt/format.h>

namespace sinter::ir {

void BlockVerifier::require(bool condition, const char* invariant, const char* what) const {
    if (condition) return;
    const std::string op = inst_ == nullptr ? "" : fmt::format(" ({})", info(inst_->op).name);
    fail_check(fmt::format("{}, at x{}{}: {}: {}", what_, types_.size(), op, invariant, what), location::current());
}

Scalar BlockVerifier::use(Local local) const {
    require(local.index < types_.size(), names_.scope, "a local is not in scope");
    return types_[local.index];
}

BlockVerifier::Scalars BlockVerifier::use(const std::vector<Local>& locals) const {
    Scalars types;
    for (Local local : locals) types.push_back(use(local));
    return types;
}

BlockVerifier::Scalars BlockVerifier::block(const Block& block) {
    const std::size_t base = types_.size();
    types_.insert(types_.end(), block.params.begin(), block.params.end());
    for (const Inst& inst : block.insts) {
        inst_ = &inst;
        const Scalars operands = use(inst.operands);
        if (inst.op == Op::cond || inst.op == Op::while_loop || inst.op == Op::for_loop)
            control(inst, operands);
        else
            instruction(inst, operands);
        types_.insert(types_.end(), inst.types.begin(), inst.types.end());
    }
    Scalars results = use(block.results);
    types_.resize(base);
    return results;
}

BlockVerifier::Scalars BlockVerifier::nested(const Inst& inst, std::size_t position, const Scalars& params,
                                             const char* invariant) {
    require(inst.blocks[position].params == params, invariant, "a block with other parameters");
    Scalars results = block(inst.blocks[position]);
    inst_ = &inst;
    return results;
}

void BlockVerifier::nested(const Inst& inst, std::size_t position, const Scalars& params, const Scalars& results,
                           const char* invariant) {
    require(nested(inst, position, params, invariant) == results, invariant, "a block with other results");
}

void BlockVerifier::constant(const Inst& inst) const {
    const int width = detail::bits_of(inst.type());
    require(width == 64 || inst.bits >> width == 0, names_.constant, "a constant wider than its type");
}

void BlockVerifier::control(const Inst& inst, const Scalars& operands) {
    require(inst.bits == 0, names_.constant, "bits without a meaning");
    if (inst.op == Op::cond) return cond(inst, operands);
    loop(inst, operands);
}

void BlockVerifier::cond(const Inst& inst, const Scalars& operands) {
    require(operands == Scalars{Scalar::boolean}, names_.control, "a condition is not a boolean");
    require(inst.blocks.size() == 2, names_.control, "a wrong number of blocks");
    for (std::size_t k = 0; k < 2; ++k) nested(inst, k, {}, inst.types, names_.control);
}

void BlockVerifier::loop(const Inst& inst, const Scalars& operands) {
    const bool counted = inst.op == Op::for_loop;
    Scalars params = inst.types;
    if (counted) params.insert(params.begin(), Scalar::i64);
    require(!inst.types.empty() || names_.effects, names_.control, "a loop without states");
    require(operands == params, names_.control, "a loop's operands are not its count and initial states");
    require(inst.blocks.size() == (counted ? 1u : 2u), names_.control, "a wrong number of blocks");
    if (!counted) nested(inst, 0, params, {Scalar::boolean}, names_.control);
    nested(inst, counted ? 0 : 1, params, inst.types, names_.control);
}

}  // namespace sinter::ir
