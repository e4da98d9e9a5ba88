// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/copies/layers.hpp"

#include "fuse/solve/problem/bits.hpp"

#include <algorithm>

namespace sinter::fuse {

namespace {

/// By operation: the operations it needs.
solve::Bits needs(const DepGraph& graph) {
    solve::Bits result(graph.roles.size());
    for (Operation op : graph.vertices)
        for (const Access& access : graph.reads(op)) {
            if (!access.producer.valid()) continue;
            solve::put(result[op.index], access.producer.index);
            solve::unite(result[op.index], result[access.producer.index]);
        }
    return result;
}

}  // namespace

Layers layers(const DepGraph& graph, const std::vector<bool>& movable) {
    const solve::Bits before = needs(graph);
    auto is_ordered = [&](Operation a, Operation b) {
        return a == b || solve::holds(before[a.index], b.index) || solve::holds(before[b.index], a.index);
    };
    auto is_turn = [&](Operation op) {
        const auto& uses = graph.uses[op.index];
        auto complete = [&](std::uint32_t use) { return needs_memory(graph.accesses[use]); };
        auto meets = [&](Operation other) { return movable[other.index] || is_ordered(op, other); };
        return !movable[op.index] && !uses.empty() && std::all_of(uses.begin(), uses.end(), complete) &&
               std::all_of(graph.vertices.begin(), graph.vertices.end(), meets);
    };
    std::vector<Operation> turns;
    std::copy_if(graph.vertices.begin(), graph.vertices.end(), std::back_inserter(turns), is_turn);
    Layers result{turns.size() + 1, std::vector<std::size_t>(graph.roles.size(), 0)};
    for (Operation op : graph.vertices)
        result.of[op.index] = static_cast<std::size_t>(
            std::count_if(turns.begin(), turns.end(), [&](Operation t) { return solve::holds(before[op.index], t.index); }));
    return result;
}

}  // namespace sinter::fuse
