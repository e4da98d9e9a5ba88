// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/card/decision.hpp"

#include "ir/walk.hpp"

#include <algorithm>

namespace sinter::schedule::card {

using ir::Op;

namespace {

/// The number of neighbouring points that a thread takes at once: more than one only for spaces with one axis and points
/// that are nothing but arithmetic, loads and stores.
std::int64_t group_of(const lower::Kernel& kernel) {
    if (kernel.space.size() != 1) return 1;
    for (const lower::Inst& inst : kernel.body.insts)
        if (!inst.blocks.empty() || inst.op == Op::check_index || inst.op == Op::check_divisor || inst.op == Op::expect)
            return 1;
    return kernel.body.insts.size() < tuning::most_grouped_instructions ? tuning::group_points : 1;
}

}  // namespace

Candidates candidates_of(const lower::Kernel& kernel) {
    Candidates c;
    c.facts = facts_of(kernel);
    c.parameters = kernel.buffers.size() + kernel.sizes.count();
    c.prints = ir::any_inst(kernel.body, [](const lower::Inst& inst) { return inst.op == Op::print; });
    c.group = group_of(kernel);
    c.in_squares = c.facts.points.strided > 0 && kernel.space.size() > 1;
    c.transposed = transposed_squares(kernel, c.facts);
    c.tiles = register_tiles(kernel, c.facts);
    c.chunked = c.facts.chunked != nullptr;
    c.scatters = scatters_of(kernel);
    for (const Facts::Loop& loop : c.facts.loops) c.loops.push_back(share(kernel, loop, false));
    if (c.chunked) c.in_chunks.push_back(share(kernel, c.facts.loops[0], true));
    return c;
}

bool Candidates::has_many_parameters(const Way& way, std::size_t more) const {
    return parameters + states_of(way, {}).size() + scatters.claimed.size() + tuning::own_parameters + more >
           tuning::most_parameters;
}

bool Candidates::order_shows() const {
    return std::any_of(facts.updates.begin(), facts.updates.end(), [](const UpdateFact& fact) { return !fact.any_order; });
}

Schedule schedule_of(const Candidates& candidates, const Way& way) {
    if (chunked_loop(way)) return {way, candidates.in_chunks, candidates.facts.updates, &candidates.scatters};
    const bool teams = std::holds_alternative<Warps>(way) || std::holds_alternative<Blocks>(way);
    return {way, teams ? std::span(candidates.loops) : std::span<const SharedLoop>(), candidates.facts.updates,
            &candidates.scatters};
}

}  // namespace sinter::schedule::card
