// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/updates/overwriting.hpp"

#include "ir/walk.hpp"
#include "lower/verify.hpp"
#include "run/ranks/job/job.hpp"
#include "schedule/facts/collisions.hpp"

#include <algorithm>

namespace sinter::host {

using ir::Block;
using ir::Inst;
using ir::Local;
using ir::Op;

namespace {

bool overwrites(const lower::Kernel& kernel, const Inst& inst) {
    return inst.op == Op::store && kernel.buffers[inst.bits].dest.has_value();
}

std::size_t count_overwriting(const lower::Kernel& kernel) {
    std::size_t count = 0;
    ir::any_inst(kernel.body, [&](const Inst& inst) { return count += overwrites(kernel, inst), false; });
    return count;
}

/// {left, right -> right}
Block newer(const std::vector<lower::Scalar>& types, std::size_t level) {
    Block block;
    block.params = types;
    block.params.insert(block.params.end(), types.begin(), types.end());
    for (std::size_t v = 0; v < types.size(); ++v) block.results.push_back(Local(level + types.size() + v));
    return block;
}

}  // namespace

std::optional<lower::Kernel> with_update(const lower::Kernel& kernel) {
    const std::size_t count = count_overwriting(kernel);
    if (kernel.body.insts.empty() || count == 0) return std::nullopt;
    lower::Kernel result = kernel;
    std::size_t level = ir::level_behind(result.body, 0);
    Inst& last = result.body.insts.back();
    const bool drops = last.op == Op::cond && last.types.empty() && last.blocks[1].insts.empty();
    std::vector<Inst>& insts = drops ? last.blocks[0].insts : result.body.insts;
    if (drops) level = ir::level_behind(last.blocks[0], level);
    if (insts.size() < count) return std::nullopt;
    const auto stores = insts.end() - static_cast<std::ptrdiff_t>(count);
    Inst update{Op::update, {}, stores->bits, {}, {}};
    std::vector<lower::Scalar> types;
    for (auto store = stores; store != insts.end(); ++store) {
        if (!overwrites(kernel, *store) || store->bits != update.bits + types.size()) return std::nullopt;
        if (store->operands[0] != stores->operands[0]) return std::nullopt;
        if (types.empty()) update.operands.push_back(store->operands[0]);
        update.operands.push_back(store->operands[1]);
        types.push_back(kernel.buffers[store->bits].scalar);
    }
    update.blocks.push_back(newer(types, level));
    insts.erase(stores, insts.end());
    insts.push_back(std::move(update));
    return lower::verified(std::move(result));
}

Overwriting::Overwriting(const KernelCode& code, const std::shared_ptr<const Target>& target)
    : code_(code), arrays_(schedule::overwritten_arrays(code.kernel())) {
    const schedule::Facts& facts = code.facts();
    const bool is_map = facts.loops.empty() && !facts.nested_loops && !facts.has_local_buffers && facts.updates.empty();
    if (arrays_ == 0 || !is_map) return;
    if (const auto updating = with_update(code.kernel()))
        if (auto split = split_update(*updating)) updates_.emplace(std::move(*split), target);
}

bool Overwriting::among_ranks() const { return arrays_ > 0 && runtime::has_ranks(); }

std::int64_t Overwriting::points_together(const std::int64_t* sizes, bool among_ranks) const {
    return arrays_ > 1 || among_ranks ? schedule::points_that_meet(code_.kernel(), sizes) : 1;
}

schedule::UpdateWay Overwriting::way(const std::int64_t* sizes, std::int64_t together, int threads) const {
    std::int64_t points = 1;
    for (ir::SizeId id : code_.kernel().space) points *= sizes[id.index];
    const bool is_ordered = updates_ && together == points && points > 1;
    return is_ordered ? updates_->choose(sizes, points, threads) : schedule::InOrder();
}

}  // namespace sinter::host
