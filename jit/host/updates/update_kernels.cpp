// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/updates/update_kernels.hpp"

#include "ir/neutral.hpp"
#include "ir/walk.hpp"
#include "lower/locals.hpp"
#include "lower/verify.hpp"

#include <algorithm>

namespace sinter::host {

using ir::Block;
using ir::Inst;
using ir::level_behind;
using ir::Local;
using ir::Op;
using ir::Scalar;
using lower::shift;
using lower::stands_alone;

namespace {

/// Appends instructions to a block.
class Append {
  public:
    /// `level`: the number of locals in scope at this point.
    Append(Block& block, std::size_t level) : block_(block), level_(level) {}

    Local operator()(Op op, Scalar type, std::uint64_t bits, std::vector<Local> operands) {
        block_.insts.push_back({op, {type}, bits, std::move(operands), {}});
        return Local(level_++);
    }
    void store(std::size_t buffer, Local offset, Local value) {
        block_.insts.push_back({Op::store, {}, buffer, {offset, value}, {}});
    }
    void update(std::size_t buffer, std::vector<Local> operands, Block combine, std::size_t its_level) {
        shift(combine, its_level, static_cast<std::ptrdiff_t>(level_) - static_cast<std::ptrdiff_t>(its_level));
        block_.insts.push_back({Op::update, {}, buffer, std::move(operands), {std::move(combine)}});
    }
    std::size_t level() const { return level_; }

  private:
    Block& block_;
    std::size_t level_;
};

/// A kernel of s0 points without a body yet, that reads `inputs` and updates arrays of `types`, which begin as the last
/// of them.
lower::Kernel updating(const lower::Kernel& kernel, const std::vector<Scalar>& types, const char* suffix,
                       const std::vector<Scalar>& inputs) {
    lower::Kernel result;
    result.name = kernel.name + suffix;
    const ir::SizeId points = result.sizes.argument(0);
    result.space = {points};
    result.checks = kernel.checks;
    result.body.params = {Scalar::i64};
    for (Scalar s : inputs) result.buffers.push_back({s, false, points, {}});
    for (std::size_t v = 0; v < types.size(); ++v)
        result.buffers.push_back({types[v], true, points, inputs.size() - types.size() + v});
    return result;
}

class Split {
  public:
    explicit Split(const lower::Kernel& kernel) : kernel_(kernel) {}

    std::optional<UpdateKernels> operator()() {
        if (kernel_.space.empty() || kernel_.body.insts.empty() || !find()) return std::nullopt;
        const std::size_t count = update_->operands.size() - 1;
        UpdateKernels result;
        result.first = update_->bits;
        for (std::size_t v = 0; v < count; ++v) result.types.push_back(kernel_.buffers[result.first + v].scalar);
        types_ = result.types;
        result.elements = kernel_.buffers[result.first].elements;
        result.neutral = ir::neutral_elements(update_->blocks[0], count, level_);
        result.noted = lower::verified(noted());
        result.applied = lower::verified(applied());
        result.merged = merging_kernel(kernel_, *update_, level_);
        return result;
    }

  private:
    /// Finds the update at the end of the body, or at the end of a cond that ends the body.
    bool find() {
        const Inst& last = kernel_.body.insts.back();
        level_ = level_behind(kernel_.body, 0);
        drops_ = last.op == Op::cond && !last.blocks[0].insts.empty() && last.blocks[1].insts.empty();
        update_ = drops_ ? &last.blocks[0].insts.back() : &last;
        if (drops_) level_ = level_behind(last.blocks[0], level_);
        return update_->op == Op::update && stands_alone(update_->blocks[0], level_);
    }

    lower::Kernel noted() const {
        lower::Kernel result = kernel_;
        result.name += "_noted";
        const std::size_t offsets = result.buffers.size(), rank = kernel_.space.size();
        for (std::size_t v = 0; v < types_.size(); ++v) result.buffers[update_->bits + v].dest.reset();
        result.buffers.push_back({Scalar::u32, true, kernel_.space.back(), {}});
        Block before;
        Append prologue(before, rank);
        const Local point = row_major(prologue);
        const std::size_t added = prologue.level() - rank;
        shift(result.body, rank, static_cast<std::ptrdiff_t>(added));
        const std::vector<Local> noted = drops_ ? note_kept(result.body, added) : note_all(result.body, added);
        Append append(result.body, level_behind(result.body, added));
        append.store(offsets, point, noted[0]);
        for (std::size_t v = 0; v < types_.size(); ++v) append.store(update_->bits + v, point, noted[1 + v]);
        result.body.insts.insert(result.body.insts.begin(), before.insts.begin(), before.insts.end());
        return result;
    }

    /// Removes the update that ends the body; returns its offset as a note, and its values.
    std::vector<Local> note_all(Block& body, std::size_t added) const {
        std::vector<Local> noted = std::move(body.insts.back().operands);
        body.insts.pop_back();
        Append append(body, level_ + added);
        noted[0] = append(Op::cast, Scalar::u32, 0, {noted[0]});
        return noted;
    }

    /// The same for the update that ends the cond at the end of the body; the cond then returns what is known only inside
    /// it.
    std::vector<Local> note_kept(Block& body, std::size_t added) const {
        Inst& cond = body.insts.back();
        const std::size_t level = level_behind(body, added);
        Block &kept = cond.blocks[0], &dropped = cond.blocks[1];
        std::vector<Local> noted = std::move(kept.insts.back().operands);
        kept.insts.pop_back();
        Append keep(kept, level_ + added), drop(dropped, level);
        auto give = [&](Scalar type, Local local, std::uint64_t otherwise) {
            cond.types.push_back(type);
            kept.results.push_back(local);
            dropped.results.push_back(drop(Op::constant, type, otherwise, {}));
            return Local(level + cond.types.size() - 1);
        };
        noted[0] = give(Scalar::u32, keep(Op::cast, Scalar::u32, 0, {noted[0]}), no_offset);
        for (std::size_t v = 0; v < types_.size(); ++v)
            if (noted[1 + v].index >= level) noted[1 + v] = give(types_[v], noted[1 + v], 0);
        return noted;
    }

    /// The row-major position of the point given by the body's parameters.
    Local row_major(Append& append) const {
        Local point(0);
        for (std::size_t axis = 1; axis < kernel_.space.size(); ++axis) {
            const Local extent = append(Op::size, Scalar::i64, kernel_.space[axis].index, {});
            point = append(Op::mul, Scalar::i64, 0, {point, extent});
            point = append(Op::add, Scalar::i64, 0, {point, Local(axis)});
        }
        return point;
    }

    lower::Kernel applied() const {
        std::vector<Scalar> inputs{Scalar::u32};
        inputs.insert(inputs.end(), types_.begin(), types_.end());
        lower::Kernel result = updating(kernel_, types_, "_applied", inputs);
        Append append(result.body, 1);
        const Local offset = append(Op::load, Scalar::u32, 0, {Local(0)});
        std::vector<Local> operands{append(Op::cast, Scalar::i64, 0, {offset})};
        for (std::size_t v = 0; v < types_.size(); ++v) operands.push_back(append(Op::load, types_[v], 1 + v, {Local(0)}));
        append.update(inputs.size(), std::move(operands), update_->blocks[0], level_);
        return result;
    }

    const lower::Kernel& kernel_;
    const Inst* update_ = nullptr;
    std::size_t level_ = 0;  ///< at the update
    bool drops_ = false;
    std::vector<Scalar> types_;
};

}  // namespace

lower::Kernel merging_kernel(const lower::Kernel& kernel, const Inst& update, std::size_t level) {
    std::vector<Scalar> types;
    for (std::size_t v = 1; v < update.operands.size(); ++v) types.push_back(kernel.buffers[update.bits + v - 1].scalar);
    lower::Kernel result = updating(kernel, types, "_merged", types);
    Append append(result.body, 1);
    std::vector<Local> operands{Local(0)};
    for (std::size_t v = 0; v < types.size(); ++v) operands.push_back(append(Op::load, types[v], v, {Local(0)}));
    append.update(types.size(), std::move(operands), update.blocks[0], level);
    return lower::verified(std::move(result));
}

std::optional<UpdateKernels> split_update(const lower::Kernel& kernel) { return Split(kernel)(); }

}  // namespace sinter::host
