// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/index/flatten.hpp"

#include "lower/verify.hpp"
#include "support/check.hpp"

#include <map>
#include <optional>
#include <utility>

namespace sinter::lower {

namespace {

using ir::Op;

Inst make(Op op, std::vector<Local> operands, std::uint64_t bits = 0) { return {op, {Scalar::i64}, bits, operands, {}}; }

/// Rewrites the body. It begins with
///     n = size; row = div f n; column = rem f n; first = sub f column
/// instead of the parameters row and column.
class Flatten {
  public:
    Flatten(std::size_t axes, SizeId extent)
        : outer_(axes - 2),
          extent_(extent),
          f_(outer_),
          n_(outer_ + 1),
          row_(outer_ + 2),
          column_(outer_ + 3),
          first_(outer_ + 4) {}

    void operator()(Block& body) {
        body.params.pop_back();
        rewrite(body);
        const Inst head[] = {make(Op::size, {}, extent_.index), make(Op::div, {f_, n_}), make(Op::rem, {f_, n_}),
                             make(Op::sub, {f_, column_})};
        body.insts.insert(body.insts.begin(), std::begin(head), std::end(head));
    }

  private:
    /// A position in the row-major order, given by that of the row's first point: `first`, and perhaps a term that is added.
    struct Position {
        std::optional<Local> more;
    };

    Local renamed(Local old) const {
        if (auto found = same_.find(old.index); found != same_.end()) return found->second;
        if (old.index < outer_) return old;
        if (old.index < outer_ + 2) return old.index == outer_ ? row_ : column_;
        return Local(old.index + 3);
    }

    void rewrite(Block& block) {
        for (Inst& inst : block.insts) {
            for (Local& operand : inst.operands) operand = renamed(operand);
            for (Block& inner : inst.blocks) nested(inner);
            if (inst.op == Op::size && inst.bits == extent_.index) same_[next_] = n_;
            if (inst.op == Op::mul) product(inst);
            if (inst.op == Op::add && inst.type() == Scalar::i64) sum(inst);
            next_ += inst.types.size();
        }
        for (Local& result : block.results) result = renamed(result);
    }

    void nested(Block& block) {
        const std::size_t before = next_;
        next_ += block.params.size();
        rewrite(block);
        next_ = before;
        same_.erase(same_.lower_bound(next_), same_.end());  // the numbers are reused
        positions_.erase(positions_.lower_bound(next_ + 3), positions_.end());
    }

    void product(const Inst& inst) {
        const Local a = inst.operands[0], b = inst.operands[1];
        if ((a == row_ && b == n_) || (a == n_ && b == row_)) define({std::nullopt}, first_);
    }

    /// first + x is a position; a position plus the column is f + x.
    void sum(Inst& inst) {
        for (int swapped = 0; swapped < 2; ++swapped) {
            const Local a = inst.operands[static_cast<std::size_t>(swapped)];
            const Local b = inst.operands[static_cast<std::size_t>(1 - swapped)];
            auto found = positions_.find(a.index);
            if (found == positions_.end()) continue;
            const std::optional<Local> more = found->second.more;
            if (b == column_) {
                if (!more)
                    same_[next_] = f_;
                else
                    inst.operands = {*more, f_};
                return;
            }
            if (!more) positions_[next_ + 3] = {b};
            return;
        }
    }

    /// Notes that the result of the instruction is `local`, a position.
    void define(Position position, Local local) {
        same_[next_] = local;
        positions_[local.index] = position;
    }

    const std::size_t outer_;
    const SizeId extent_;
    const Local f_, n_, row_, column_, first_;
    std::map<std::size_t, Local> same_;          ///< old locals that equal others
    std::map<std::size_t, Position> positions_;  ///< by new local
    std::size_t next_ = outer_ + 2;              ///< the next old local
};

}  // namespace

Kernel flatten(Kernel kernel) {
    const std::size_t axes = kernel.space.size();
    check(axes >= 2, "a kernel to be flattened has two axes");
    const SizeId extent = kernel.space[axes - 1];
    Flatten{axes, extent}(kernel.body);
    kernel.space.pop_back();
    kernel.space.back() = kernel.sizes.mul(kernel.space.back(), extent);
    return verified(std::move(kernel));
}

}  // namespace sinter::lower
