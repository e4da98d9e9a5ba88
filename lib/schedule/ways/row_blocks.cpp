// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/ways/row_blocks.hpp"

#include "ir/walk.hpp"
#include "schedule/lanes.hpp"
#include "schedule/tuning.hpp"

#include <algorithm>
#include <utility>

namespace sinter::schedule {

using ir::Op;
using lower::Block;
using lower::Inst;

namespace {

/// True if lanes can execute the body: it contains no scan or compact, and all updates are of elements that all lanes of a
/// row update together, outside of loops and branches.
bool is_plain(const Block& body, const Profile& points) {
    double together = 0;
    for (const Inst& inst : body.insts) {
        if (inst.op == Op::update) together += 1;
        if (std::any_of(inst.blocks.begin(), inst.blocks.end(), [](const Block& b) {
                return ir::any_inst(b, [](const Inst& each) { return each.op == Op::update; });
            }))
            return false;
    }
    if (points.shared_updates != together) return false;
    return !ir::any_inst(body, [](const Inst& inst) { return inst.op == Op::scan || inst.op == Op::compact; });
}

/// True if a point loads what it may store over: computed again, it would find what it has stored.
bool overwrites_what_it_loads(const lower::Kernel& kernel) {
    auto is_loaded = [&](const std::optional<std::size_t>& buffer) {
        return buffer &&
               ir::any_inst(kernel.body, [&](const Inst& inst) { return inst.op == Op::load && inst.bits == *buffer; });
    };
    return std::any_of(kernel.buffers.begin(), kernel.buffers.end(),
                       [&](const lower::Buffer& b) { return is_loaded(b.dest) || is_loaded(b.takes); });
}

bool is_loop(const Inst& inst) { return inst.op == Op::reduce || inst.op == Op::for_each; }

}  // namespace

std::optional<RowBlocks> row_blocks(const Machine& machine, const lower::Kernel& kernel, const Facts& facts) {
    if (kernel.space.empty() || !is_plain(kernel.body, facts.points) || overwrites_what_it_loads(kernel))
        return std::nullopt;
    const bool loops = std::any_of(kernel.body.insts.begin(), kernel.body.insts.end(), is_loop);
    StripsOfLoops strips = strips_of_loops(kernel, facts.control);
    if (!loops && strips.empty()) return std::nullopt;
    const Profile& points = facts.points;
    const int lanes = choose_lanes(machine, points, 0).width;
    const double transposed = (points.strided + points.scatters) / tuning::inner_iterations;
    if (lanes == 1 || transposed == 0) return std::nullopt;
    return RowBlocks{lanes, transposed, std::move(strips)};
}

}  // namespace sinter::schedule
