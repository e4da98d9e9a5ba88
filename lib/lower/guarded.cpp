// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/guarded.hpp"

#include "ir/builder.hpp"
#include "lower/loops.hpp"
#include "lower/verify.hpp"

#include <algorithm>
#include <utility>

namespace sinter::lower {

using ir::BlockBuilder;
using ir::Op;

bool reads_empty(const Kernel& kernel, const std::int64_t* sizes) {
    return std::any_of(kernel.nonempty.begin(), kernel.nonempty.end(), [&](SizeId id) { return sizes[id.index] == 0; });
}

namespace {

class Guards {
  public:
    explicit Guards(const std::vector<Buffer>& buffers) : buffers_(buffers) {}

    /// The first `axes` parameters are indices of a loop.
    Block block(const Block& old, std::size_t axes) {
        const std::size_t outside = names_.size();
        const Local first = to_.open(old.params);
        for (std::size_t k = 0; k < old.params.size(); ++k) add(Local(first.index + k), k >= axes);
        for (const Inst& inst : old.insts) instruction(inst);
        std::vector<Local> results = renamed(old.results);
        names_.resize(outside), of_checks_.resize(outside);
        return to_.close(std::move(results));
    }

  private:
    void instruction(const Inst& old) {
        const bool at_offset = old.op == Op::load || old.op == Op::store || old.op == Op::update;
        const bool of_checks = at_offset ? of_checks_[old.operands[0].index] : follows_checks(old);
        const Local first = at_offset && of_checks ? guard(old) : to_.emit(copied(old));
        for (std::size_t k = 0; k < old.types.size(); ++k) add(Local(first.index + k), of_checks);
    }

    /// What blocks result in counts as depending on checks.
    bool follows_checks(const Inst& inst) const {
        return inst.op == Op::check_index || !inst.blocks.empty() ||
               std::any_of(inst.operands.begin(), inst.operands.end(), [&](Local x) { return of_checks_[x.index]; });
    }

    Inst copied(const Inst& old) {
        Inst inst{old.op, old.types, old.bits, renamed(old.operands), {}};
        for (const Block& inner : old.blocks) inst.blocks.push_back(block(inner, is_loop(old.op) ? loop_rank(old) : 0));
        return inst;
    }

    /// The instruction is copied where it will stand, for its blocks count their values from there.
    Local guard(const Inst& old) {
        const Local offset = names_[old.operands[0].index];
        const Local elements = to_.emit({Op::size, {Scalar::i64}, buffers_[old.bits].elements.index, {}, {}});
        Inst cond{Op::cond, old.types, 0, {to_.emit(Op::inside, {offset, elements})}, {}};
        const bool has_result = !old.types.empty();
        to_.open({});
        const Local value = to_.emit(copied(old));
        cond.blocks.push_back(to_.close(has_result ? std::vector{value} : std::vector<Local>()));
        to_.open({});
        cond.blocks.push_back(to_.close(has_result ? std::vector{to_.constant(cond.types[0], 0)} : std::vector<Local>()));
        return to_.emit(std::move(cond));
    }

    std::vector<Local> renamed(const std::vector<Local>& old) const {
        std::vector<Local> names;
        for (Local local : old) names.push_back(names_[local.index]);
        return names;
    }

    void add(Local name, bool of_checks) {
        names_.push_back(name);
        of_checks_.push_back(of_checks);
    }

    const std::vector<Buffer>& buffers_;
    BlockBuilder to_{false};
    std::vector<Local> names_;     ///< by old level
    std::vector<bool> of_checks_;  ///< likewise: whether it may depend on a checked index
};

}  // namespace

Kernel guarded(const Kernel& kernel) {
    Kernel result = kernel;
    result.body = Guards(kernel.buffers).block(kernel.body, kernel.space.size());
    result.nonempty.clear();
    return verified(std::move(result));
}

}  // namespace sinter::lower
