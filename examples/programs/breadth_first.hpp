// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Breadth-first search of a graph in compressed rows: follows all edges that leave the frontier at once.
#pragma once

#include "common.hpp"

namespace programs {

struct Graph {
    std::int64_t nodes;
    Array<std::int64_t> first;   ///< of each node: its first edge
    Array<std::int64_t> degree;  ///< of each node: its number of edges
    Array<std::int64_t> target;  ///< of each edge
};

using Levels = Delayed<std::int32_t>;

/// The level of nodes that have not been reached.
inline constexpr std::int32_t far = 0x7fffffff;

inline constexpr auto nearer = [](auto a, auto b) { return min(a, b); };

inline Levels only(const Graph& g, std::int64_t source) {
    return scatter(fill(shape(g.nodes), far), from({source}), from({std::int32_t{0}}));
}

/// The node that each edge leaves.
inline Array<std::int64_t> origins(const Graph& g) {
    return run(expand([=](Exp<std::int64_t> node) { return g.degree(node); },
                      [](Exp<std::int64_t> node, Exp<std::int64_t>) { return node; }, iota(g.nodes)));
}

/// The number of edges between each node and `source`: each round follows the edges that leave the frontier to nodes not
/// reached yet.
inline Levels breadth_first(const Graph& g, const Delayed<std::int64_t>& origin, std::int64_t source) {
    auto next = [=](Levels levels, Exp<std::int32_t> depth, Exp<bool>) {
        auto fresh = filter(
            [=](Exp<std::int64_t> node, Exp<std::int64_t> there) { return levels(node) == depth && levels(there) == far; },
            zip(origin, g.target));
        auto marks = map([=](auto, auto) { return depth + 1; }, fresh);
        return std::tuple(scatter(nearer, levels, get<1>(fresh), marks), depth + 1, size(fresh) > 0);
    };
    auto more = [](Levels, Exp<std::int32_t>, Exp<bool> found) { return found; };
    return std::get<0>(while_loop(more, next, only(g, source), std::int32_t{0}, true));
}

/// The same without lists: values that are not to be written go to place -1.
inline Levels breadth_first_by_mask(const Graph& g, const Delayed<std::int64_t>& origin, std::int64_t source) {
    auto next = [=](Levels levels, Exp<std::int32_t> depth, Exp<bool>) {
        auto places =
            map([=](Exp<std::int64_t> node,
                    Exp<std::int64_t> there) { return select(levels(node) == depth && levels(there) == far, there, -1); },
                origin, g.target);
        auto marks = map([=](Exp<std::int64_t>) { return depth + 1; }, places);
        return std::tuple(scatter(nearer, levels, places, marks), depth + 1, any(places >= 0));
    };
    auto more = [](Levels, Exp<std::int32_t>, Exp<bool> found) { return found; };
    return std::get<0>(while_loop(more, next, only(g, source), std::int32_t{0}, true));
}

/// The same with the frontier as a list of nodes, so that the cost of a round is proportional to what it finds. The list is
/// a state of the loop, and its length changes. A node may be in it more than once.
inline Levels breadth_first_by_frontier(const Graph& g, std::int64_t source) {
    auto next = [=](Levels levels, Delayed<std::int64_t> frontier, Exp<std::int32_t> depth) {
        auto reached =
            expand([=](Exp<std::int64_t> node) { return g.degree(node); },
                   [=](Exp<std::int64_t> node, Exp<std::int64_t> j) { return g.target(g.first(node) + j); }, frontier);
        auto fresh = filter([=](Exp<std::int64_t> node) { return levels(node) == far; }, reached);
        auto marks = map([=](Exp<std::int64_t>) { return depth; }, fresh);
        return std::tuple(scatter(nearer, levels, fresh, marks), fresh, depth + 1);
    };
    auto more = [](Levels, Delayed<std::int64_t> frontier, Exp<std::int32_t>) { return size(frontier) > 0; };
    return std::get<0>(while_loop(more, next, only(g, source), from({source}), std::int32_t{1}));
}

/// A graph in which each node has 1 to `most` edges to random nodes.
inline Graph random_graph(std::int64_t nodes, std::uint64_t most) {
    const auto degree = make_input(nodes, [=](Exp<std::int64_t> i) { return 1 + below(92, i, most); });
    const auto [first, edges] = run(scan_with_total(std::plus<>{}, std::int64_t{0}, degree));
    const auto target =
        make_input(edges.item(), [=](Exp<std::int64_t> e) { return below(93, e, static_cast<std::uint64_t>(nodes)); });
    return {nodes, first, degree, target};
}

}  // namespace programs
