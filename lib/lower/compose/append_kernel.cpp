// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/compose/append_kernel.hpp"

#include "ir/walk.hpp"
#include "lower/loops.hpp"

#include <algorithm>
#include <utility>

namespace sinter::lower {

using ir::Op;

namespace {

bool is_check(Op op) { return op == Op::check_index || op == Op::check_divisor || op == Op::expect; }

class Append {
  public:
    Append(BlockWriter& to, const Part& part) : to_(to), part_(part), stored_(part.kernel.buffers.size()) {}

    std::optional<std::vector<std::optional<Local>>> operator()() {
        const Kernel& kernel = part_.kernel;
        std::vector<Local> extents;
        for (SizeId id : kernel.space)
            if (!is_one(id)) extents.push_back(*part_.sizes[id.index]);
        if (!is_possible(!extents.empty())) return std::nullopt;
        if (extents.empty()) {
            points(kernel.space.empty() ? Local() : to_.index(0), {});
        } else {
            const std::size_t rank = extents.size();
            const Local zero = rank < kernel.space.size() ? to_.index(0) : Local();
            const std::vector<Local> indices = to_.open(std::vector(rank, Scalar::i64));
            points(zero, indices);
            to_.append({Op::for_each, {}, rank, extents, {to_.close({})}});
        }
        return possible_ ? std::optional(std::move(stored_)) : std::nullopt;
    }

  private:
    bool is_one(SizeId id) const { return part_.kernel.sizes.is_constant(id, 1); }

    bool is_possible(bool several) const {
        const Kernel& kernel = part_.kernel;
        const bool keeps = std::any_of(kernel.buffers.begin(), kernel.buffers.end(), [](auto& b) { return b.local; });
        const bool stores_value = std::any_of(part_.buffers.begin(), part_.buffers.end(), [](const Place& place) {
            return std::holds_alternative<std::monostate>(place);
        });
        if (keeps || !kernel.accumulators.empty() || (several && stores_value)) return false;
        return !ir::any_inst(kernel.body, [&](const Inst& inst) {
            return inst.op == Op::compact || inst.op == Op::print || (several && is_loop(inst.op));
        });
    }

    /// The body, where axes of extent 1 have the index `zero`.
    void points(Local zero, std::vector<Local> indices) {
        std::size_t next = 0;
        for (SizeId id : part_.kernel.space) locals_.push_back(is_one(id) ? zero : indices[next++]);
        instructions(part_.kernel.body, true);
    }

    void instructions(const Block& block, bool outermost) {
        for (const Inst& inst : block.insts) {
            if (inst.op == Op::size) {
                locals_.push_back(*part_.sizes[inst.bits]);
            } else if (inst.op == Op::load && std::holds_alternative<Local>(part_.buffers[inst.bits])) {
                locals_.push_back(std::get<Local>(part_.buffers[inst.bits]));
            } else if (inst.op == Op::store && std::holds_alternative<std::monostate>(part_.buffers[inst.bits])) {
                possible_ = possible_ && outermost;
                stored_[inst.bits] = local(inst.operands[1]);
            } else {
                copy(inst);
            }
        }
    }

    void copy(const Inst& inst) {
        Inst result{inst.op, inst.types, inst.bits, locals(inst.operands), {}};
        if (inst.op == Op::load || inst.op == Op::store) result.bits = buffer(inst.bits);
        if (inst.op == Op::update) result.bits = buffers(inst);
        if (is_check(inst.op)) result.bits += part_.checks;
        const std::size_t level = locals_.size();
        for (const Block& block : inst.blocks) {
            const std::vector<Local> params = to_.open(block.params);
            locals_.insert(locals_.end(), params.begin(), params.end());
            instructions(block, false);
            result.blocks.push_back(to_.close(locals(block.results)));
            locals_.resize(level);
        }
        const std::size_t count = inst.types.size();
        const Local first = to_.append(std::move(result));
        for (std::size_t k = 0; k < count; ++k) locals_.emplace_back(first.index + k);
    }

    std::uint64_t buffer(std::uint64_t of_part) {
        const std::size_t* found = std::get_if<std::size_t>(&part_.buffers[of_part]);
        possible_ = possible_ && found;
        return found ? *found : 0;
    }

    /// Those of an update follow one another.
    std::uint64_t buffers(const Inst& update) {
        const std::uint64_t first = buffer(update.bits);
        for (std::size_t k = 1; k + 1 < update.operands.size(); ++k)
            possible_ = possible_ && buffer(update.bits + k) == first + k;
        return first;
    }

    Local local(Local of_part) const { return locals_[of_part.index]; }
    std::vector<Local> locals(const std::vector<Local>& of_part) const {
        std::vector<Local> result;
        for (Local l : of_part) result.push_back(local(l));
        return result;
    }

    BlockWriter& to_;
    const Part& part_;
    std::vector<Local> locals_;                 ///< by local of the part
    std::vector<std::optional<Local>> stored_;  ///< by buffer
    bool possible_ = true;
};

}  // namespace

std::vector<bool> sizes_needed(const Kernel& kernel) {
    std::vector<bool> needed(kernel.sizes.count(), false);
    for (SizeId id : kernel.space) needed[id.index] = !kernel.sizes.is_constant(id, 1);
    ir::any_inst(kernel.body, [&](const Inst& inst) {
        if (inst.op == Op::size) needed[inst.bits] = true;
        return false;
    });
    return needed;
}

std::optional<std::vector<std::optional<Local>>> append_kernel(BlockWriter& to, const Part& part) {
    return Append(to, part)();
}

bool is_pointwise(const Kernel& kernel, std::size_t input, std::size_t output) {
    const auto accesses = [&](const Inst& inst) {
        return (inst.op == Op::load && inst.bits == input) || (inst.op == Op::store && inst.bits == output);
    };
    const Inst* store = nullptr;
    for (auto inst = kernel.body.insts.rbegin(); inst != kernel.body.insts.rend(); ++inst) {
        for (const Block& inner : inst->blocks)
            if (ir::any_inst(inner, accesses)) return false;
        if (!accesses(*inst)) continue;
        if (inst->op == Op::store && store) return false;
        if (inst->op == Op::store) store = &*inst;
        if (!store || inst->operands[0] != store->operands[0]) return false;  // loaded after it has been stored, or another
    }
    return store != nullptr;
}

}  // namespace sinter::lower
