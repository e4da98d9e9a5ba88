// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/index/split_axes.hpp"

#include "ir/builder.hpp"
#include "ir/sizes/size_arithmetic.hpp"
#include "ir/walk.hpp"
#include "lower/loops.hpp"
#include "lower/tuning.hpp"
#include "lower/verify.hpp"

#include <utility>

namespace sinter::lower {

namespace {

using ir::Op;

class Write {
  public:
    Write(const Kernel& kernel, const AxisSplits& splits) : kernel_(kernel), splits_(splits) {}

    /// Leaves the name, buffers and checks to the caller.
    void operator()(Kernel& to) {
        std::vector<Local> params = open_axes(0, kernel_.space.size(), {});
        write_sizes();
        push_indices(0, kernel_.space.size(), params);
        instructions(kernel_.body);
        to.body = builder_.close({});
        to.space.clear();
        for (std::size_t k = 0; k < kernel_.space.size(); ++k) {
            const SplitAxis* split = split_of(k);
            if (split) to.space.push_back(split->quotient);
            to.space.push_back(split ? split->remainder : kernel_.space[k]);
        }
        to.sizes = splits_.sizes;
    }

  private:
    const SplitAxis* split_of(std::size_t axis) const {
        const auto found = splits_.axes.find(axis);
        return found == splits_.axes.end() ? nullptr : &found->second;
    }

    std::size_t count_of(std::size_t first, std::size_t axes) const {
        std::size_t count = axes;
        for (std::size_t k = 0; k < axes; ++k) count += split_of(first + k) ? 1 : 0;
        return count;
    }

    Local append(Op op, Local left, Local right) { return builder_.emit({op, {Scalar::i64}, 0, {left, right}, {}}); }

    /// What the axes are split by, once for all.
    void write_sizes() {
        const auto write = [&](SizeId id) {
            if (!id.valid() || sizes_.count(id) > 0) return;
            const ir::Size& size = splits_.sizes[id];
            const bool number = size.kind == ir::Size::Kind::constant;
            sizes_[id] =
                number ? builder_.constant_index(size.index) : builder_.emit({Op::size, {Scalar::i64}, id.index, {}, {}});
        };
        for (const auto& [axis, split] : splits_.axes) {
            if (axis >= kernel_.space.size()) write(split.quotient), write(split.remainder);
            if (split.whole) write(split.remainder);
        }
        for (const auto& [inst, result] : splits_.results) {
            write(result.factor);
            if (result.kind == SplitResult::Kind::remainder && result.factor.valid())
                write(split_of(result.axis)->remainder);
        }
    }

    /// Opens a block with an index for each of the new axes, and then parameters of these types.
    std::vector<Local> open_axes(std::size_t first, std::size_t axes, std::span<const Scalar> others) {
        std::vector<Scalar> types(count_of(first, axes), Scalar::i64);
        types.insert(types.end(), others.begin(), others.end());
        const Local begin = builder_.open(types);
        std::vector<Local> params;
        for (std::size_t k = 0; k < types.size(); ++k) params.emplace_back(begin.index + k);
        return params;
    }

    /// Names the old indices, given the new ones. Returns the number of the latter.
    std::size_t push_indices(std::size_t first, std::size_t axes, const std::vector<Local>& params) {
        std::size_t next = 0;
        for (std::size_t k = first; k < first + axes; ++k) {
            const SplitAxis* split = split_of(k);
            if (!split) {
                locals_.push_back(params[next++]);
                continue;
            }
            const Local outer = params[next], inner = params[next + 1];
            next += 2;
            parts_[k] = {outer, inner};
            locals_.push_back(split->whole ? append(Op::add, append(Op::mul, outer, sizes_.at(split->remainder)), inner)
                                           : Local());
        }
        return next;
    }

    void instructions(const Block& block) {
        for (const Inst& inst : block.insts) {
            const auto found = splits_.results.find(&inst);
            if (found != splits_.results.end())
                locals_.push_back(result(inst, found->second));
            else if (const auto loop = splits_.first.find(&inst);
                     loop != splits_.first.end() && is_split(inst, loop->second))
                split_loop(inst, loop->second);
            else
                copy(inst);
        }
    }

    Local result(const Inst& inst, const SplitResult& result) {
        if (result.kind == SplitResult::Kind::operand) return locals_[inst.operands[0].index];
        const auto [outer, inner] = parts_.at(result.axis);
        const bool is_quotient = result.kind == SplitResult::Kind::quotient;
        if (!result.factor.valid()) return is_quotient ? outer : inner;
        const Local factor = sizes_.at(result.factor);
        if (is_quotient) return append(Op::div, outer, factor);
        const Local row = append(Op::rem, outer, factor);
        return append(Op::add, append(Op::mul, row, sizes_.at(split_of(result.axis)->remainder)), inner);
    }

    static std::size_t axes_of(const Inst& loop) { return loop.op == Op::for_loop ? 1 : loop_rank(loop); }

    bool is_split(const Inst& loop, std::size_t first) const { return count_of(first, axes_of(loop)) > axes_of(loop); }

    void split_loop(const Inst& inst, std::size_t first) {
        inst.op == Op::for_loop ? split_steps(inst, first) : split_points(inst, first);
    }

    void split_points(const Inst& inst, std::size_t first) {
        const std::size_t axes = axes_of(inst);
        Inst copy{inst.op, inst.types, inst.bits + count_of(first, axes) - axes, {}, {}};
        for (std::size_t k = 0; k < axes; ++k) {
            const SplitAxis* split = split_of(first + k);
            if (split) copy.operands.push_back(sizes_.at(split->quotient));
            copy.operands.push_back(split ? sizes_.at(split->remainder) : locals_[inst.operands[k].index]);
        }
        for (std::size_t k = axes; k < inst.operands.size(); ++k) copy.operands.push_back(locals_[inst.operands[k].index]);
        const std::size_t level = locals_.size();
        const std::vector<Local> params = open_axes(first, axes, {});
        push_indices(first, axes, params);
        copy.blocks.push_back(close(inst.blocks[0], level));
        for (std::size_t k = 1; k < inst.blocks.size(); ++k) copy.blocks.push_back(nested(inst.blocks[k]));
        append_copy(std::move(copy));
    }

    /// A loop of loops, which hands on the states.
    void split_steps(const Inst& inst, std::size_t axis) {
        const SplitAxis& split = *split_of(axis);
        const std::size_t level = locals_.size(), states = inst.types.size();
        const auto open = [&](std::vector<Local>& states_of) {
            std::vector<Scalar> types{Scalar::i64};
            types.insert(types.end(), inst.types.begin(), inst.types.end());
            const Local index = builder_.open(types);
            states_of.clear();
            for (std::size_t k = 0; k < states; ++k) states_of.emplace_back(index.index + 1 + k);
            return index;
        };
        std::vector<Local> of_outer, of_inner;
        const Local outer = open(of_outer), inner = open(of_inner);
        push_indices(axis, 1, {outer, inner});
        locals_.insert(locals_.end(), of_inner.begin(), of_inner.end());
        Inst loop{Op::for_loop, inst.types, inst.bits, {sizes_.at(split.remainder)}, {}};
        loop.operands.insert(loop.operands.end(), of_outer.begin(), of_outer.end());
        loop.blocks.push_back(close(inst.blocks[0], level));
        const Local first = builder_.emit(std::move(loop));
        std::vector<Local> results;
        for (std::size_t k = 0; k < states; ++k) results.emplace_back(first.index + k);
        Inst all{Op::for_loop, inst.types, inst.bits, {sizes_.at(split.quotient)}, {builder_.close(std::move(results))}};
        for (std::size_t k = 1; k < inst.operands.size(); ++k) all.operands.push_back(locals_[inst.operands[k].index]);
        append_copy(std::move(all));
    }

    void copy(const Inst& inst) {
        Inst copy{inst.op, inst.types, inst.bits, renamed(inst.operands), {}};
        for (const Block& block : inst.blocks) copy.blocks.push_back(nested(block));
        append_copy(std::move(copy));
    }

    Block nested(const Block& block) {
        const std::size_t level = locals_.size();
        const Local first = builder_.open(block.params);
        for (std::size_t k = 0; k < block.params.size(); ++k) locals_.emplace_back(first.index + k);
        return close(block, level);
    }

    /// Writes the instructions of a block whose parameters have been named.
    Block close(const Block& block, std::size_t level) {
        instructions(block);
        Block written = builder_.close(renamed(block.results));
        locals_.resize(level);
        return written;
    }

    void append_copy(Inst inst) {
        const std::size_t count = inst.types.size();
        const Local first = builder_.emit(std::move(inst));
        for (std::size_t k = 0; k < count; ++k) locals_.emplace_back(first.index + k);
    }

    std::vector<Local> renamed(const std::vector<Local>& old) const {
        std::vector<Local> result;
        for (Local local : old) result.push_back(locals_[local.index]);
        return result;
    }

    const Kernel& kernel_;
    const AxisSplits& splits_;
    ir::BlockBuilder builder_{false};                       // loads are not shared: stores may lie between them
    std::map<SizeId, Local> sizes_;                         ///< written at the beginning
    std::map<std::size_t, std::pair<Local, Local>> parts_;  ///< by axis: the two indices
    std::vector<Local> locals_;                             ///< by old level
};

}  // namespace

namespace {

/// Splits again what divides an index along an outer axis. Returns true if there was anything to split.
bool split(Kernel& kernel, std::set<SizeId>* present, std::vector<ExactSplit>& exact) {
    for (int k = 0; k < tuning::most_splits; ++k) {
        const AxisSplits splits = axis_splits(kernel, present);
        if (splits.axes.empty()) return k > 0;
        exact.insert(exact.end(), splits.exact.begin(), splits.exact.end());
        for (const auto& [axis, each] : splits.axes)
            if (present) present->insert({each.quotient, each.remainder});
        Kernel result = kernel;
        Write(kernel, splits)(result);
        kernel = std::move(result);
    }
    return true;
}

bool divides(const Kernel& kernel) {
    return ir::any_inst(kernel.body, [](const Inst& inst) { return inst.op == Op::div || inst.op == Op::rem; });
}

}  // namespace

Kernel split_axes(Kernel kernel, const std::set<SizeId>& present) {
    std::set<SizeId> known = present;
    std::vector<ExactSplit> exact;
    if (divides(kernel)) split(kernel, &known, exact);
    return kernel;
}

std::optional<SplitKernel> split_if_exact(const Kernel& kernel) {
    if (!divides(kernel)) return std::nullopt;
    SplitKernel result{kernel, {}, false};
    if (!split(result.kernel, nullptr, result.exact)) return std::nullopt;
    result.of_points = result.kernel.space.size() > kernel.space.size();
    result.kernel = verified(std::move(result.kernel));
    return result;
}

std::optional<std::vector<std::int64_t>> split_sizes(const SplitKernel& split, std::span<const std::int64_t> sizes) {
    std::vector<std::int64_t> result(sizes.begin(), sizes.end());
    const ir::SizeTable& table = split.kernel.sizes;
    for (std::size_t k = sizes.size(); k < table.count(); ++k) {
        const ir::Size& size = table[SizeId(k)];
        if (size.kind == ir::Size::Kind::constant) {
            result.push_back(size.index);
            continue;
        }
        const std::int64_t left = result[size.left.index], right = result[size.right.index];
        if (size.kind == ir::Size::Kind::ceil_div && right <= 0) return std::nullopt;
        result.push_back(ir::apply(size.kind, left, right));
    }
    for (const ExactSplit& each : split.exact) {
        const std::int64_t extent = result[each.extent.index], divisor = result[each.divisor.index];
        if (divisor < each.least || extent % divisor != 0) return std::nullopt;
    }
    return result;
}

}  // namespace sinter::lower
