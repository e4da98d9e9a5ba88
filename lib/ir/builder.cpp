// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/builder.hpp"

#include "support/check.hpp"

#include <utility>

namespace sinter::ir {

namespace {

constexpr std::uint32_t none = 0xffffffff;

std::uint64_t mix(std::uint64_t h, std::uint64_t part) {
    h = (h ^ part) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 31);
}

std::uint64_t hash(const Inst& inst) {
    std::uint64_t h = mix(static_cast<std::uint64_t>(inst.op), inst.bits);
    for (Scalar type : inst.types) h = mix(h, static_cast<std::uint64_t>(type));
    for (Local operand : inst.operands) h = mix(h, operand.index);
    return h;
}

bool is_shareable(const Inst& inst) { return inst.blocks.empty() && inst.types.size() == 1; }

}  // namespace

Local BlockBuilder::open(std::span<const Scalar> params) {
    Frame frame{{}, types_.size(), available_.size()};
    frame.block.params.assign(params.begin(), params.end());
    types_.insert(types_.end(), params.begin(), params.end());
    Local first(frame.base);
    frames_.push_back(std::move(frame));
    return first;
}

Block BlockBuilder::close(std::vector<Local> results) {
    check(!frames_.empty(), "close without open");
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    for (Local result : results) check(result.index < types_.size(), "a block's result is not in scope");
    frame.block.results = std::move(results);
    types_.resize(frame.base);
    for (; available_.size() > frame.available; available_.pop_back()) {
        const Available& entry = available_.back();
        if (entry.next == none)
            newest_.erase(entry.hash);
        else
            newest_[entry.hash] = entry.next;
    }
    return std::move(frame.block);
}

Local BlockBuilder::find_equal(const Inst& inst, std::uint64_t hash) const {
    auto found = newest_.find(hash);
    for (std::uint32_t i = found == newest_.end() ? none : found->second; i != none; i = available_[i].next) {
        const Available& entry = available_[i];
        if (frames_[entry.frame].block.insts[entry.inst] == inst) return entry.local;
    }
    return {};
}

/// Makes the instruction that was just appended, whose result is `local`, available for sharing.
void BlockBuilder::make_available(std::uint64_t hash, Local local) {
    auto position = static_cast<std::uint32_t>(available_.size());
    auto [newest, inserted] = newest_.try_emplace(hash, position);
    std::uint32_t next = inserted ? none : std::exchange(newest->second, position);
    available_.push_back({hash, frames_.size() - 1, frames_.back().block.insts.size() - 1, local, next});
}

Local BlockBuilder::append(Inst inst) {
    Local first = inst.types.empty() ? Local{} : Local(types_.size());
    types_.insert(types_.end(), inst.types.begin(), inst.types.end());
    frames_.back().block.insts.push_back(std::move(inst));
    return first;
}

Local BlockBuilder::emit(Inst inst) {
    check(!frames_.empty(), "emit without an open block");
    for (Local operand : inst.operands) check(operand.index < types_.size(), "an instruction's operand is not in scope");
    if (!share_ || !is_shareable(inst)) return append(std::move(inst));
    std::uint64_t h = hash(inst);
    if (Local equal = find_equal(inst, h); equal.valid()) return equal;
    Local local = append(std::move(inst));
    make_available(h, local);
    return local;
}

Local BlockBuilder::emit(Op op, std::initializer_list<Local> operands) {
    Inst inst;
    inst.op = op;
    inst.operands = operands;
    std::vector<Scalar> types;
    for (Local operand : operands) {
        check(operand.index < types_.size(), "an instruction's operand is not in scope");
        types.push_back(type(operand));
    }
    std::optional<Scalar> result = result_type(op, types, Scalar::boolean);
    if (!result) fail_check("operands do not fit the operation " + std::string(info(op).name), location::current());
    inst.types = {*result};
    return emit(std::move(inst));
}

Local BlockBuilder::constant(Scalar type, std::uint64_t bits) { return emit(Inst{Op::constant, {type}, bits, {}, {}}); }

Local BlockBuilder::cast(Scalar to, Local value) {
    if (type(value) == to) return value;
    return emit(Inst{Op::cast, {to}, 0, {value}, {}});
}

Local BlockBuilder::bit_cast(Scalar to, Local value) {
    if (type(value) == to) return value;
    return emit(Inst{Op::bit_cast, {to}, 0, {value}, {}});
}

namespace {

class Inliner {
  public:
    Inliner(BlockBuilder& to, std::vector<Local> substitution, const Rewrite& rewrite)
        : to_(to), locals_(std::move(substitution)), rewrite_(rewrite) {}

    /// The block's parameters have to be in locals_ already.
    std::vector<Local> copy(const Block& block) {
        std::size_t base = locals_.size();
        for (const Inst& inst : block.insts) copy(inst);
        std::vector<Local> results = substituted(block.results);
        locals_.resize(base);
        return results;
    }

  private:
    std::vector<Local> substituted(const std::vector<Local>& locals) const {
        std::vector<Local> result;
        result.reserve(locals.size());
        for (Local local : locals) {
            check(local.index < locals_.size(), "inline_block: the substitution is too short");
            result.push_back(locals_[local.index]);
        }
        return result;
    }

    void copy(const Inst& inst) {
        Inst copied{inst.op, inst.types, inst.bits, substituted(inst.operands), {}};
        if (inst.blocks.empty() && rewrite_) {
            if (std::optional<Local> replaced = rewrite_(to_, copied)) {
                locals_.push_back(*replaced);
                return;
            }
        }
        for (const Block& block : inst.blocks) copied.blocks.push_back(copy_nested(block));
        Local first = to_.emit(std::move(copied));
        for (std::size_t i = 0; i < inst.types.size(); ++i) locals_.push_back(Local(first.index + i));
    }

    Block copy_nested(const Block& block) {
        Local first = to_.open(block.params);
        std::size_t base = locals_.size();
        for (std::size_t i = 0; i < block.params.size(); ++i) locals_.push_back(Local(first.index + i));
        std::vector<Local> results = copy(block);
        locals_.resize(base);
        return to_.close(std::move(results));
    }

    BlockBuilder& to_;
    std::vector<Local> locals_;
    const Rewrite& rewrite_;
};

}  // namespace

std::vector<Local> inline_block(BlockBuilder& to, const Block& block, std::vector<Local> substitution,
                                const Rewrite& rewrite) {
    return Inliner(to, std::move(substitution), rewrite).copy(block);
}

}  // namespace sinter::ir
