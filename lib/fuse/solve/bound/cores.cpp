// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/solve/bound/cores.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

namespace {

void make_unique(std::vector<std::uint32_t>& terms) {
    std::sort(terms.begin(), terms.end());
    terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
}

std::vector<Pair> turned(std::vector<Pair> arcs) {
    for (auto& [from, to] : arcs) std::swap(from, to);
    return arcs;
}

}  // namespace

CoreFinder::CoreFinder(const Problem& problem, const Relations& relations, const std::vector<Hub>& hubs)
    : p_(problem),
      r_(relations),
      hubs_(hubs),
      inner_to_(problem.count, inner_),
      inner_back_(problem.count, inner_turned_),
      trees_(problem.count, hubs, relations) {}

std::vector<Pair> CoreFinder::arcs(const Use& use) const {
    std::vector<Pair> result = p_.arcs;
    for (std::size_t h = 0; h < hubs_.size(); ++h)
        if (use[hubs_[h].term]) join(result, hubs_[h].members, static_cast<Vertex>(p_.count + h));
    return result;
}

Labels CoreFinder::labels(const Use& use) const { return component_labels(Adjacency(nodes(), arcs(use)), p_.count); }

/// All pieces but one are paid for. A term to which several of the hubs belong may be paid for once for all of them.
std::optional<Core> CoreFinder::tree(Vertex v, std::size_t reach, const Use& use) {
    auto tree = trees_.find(v, reach, [&](std::size_t hub) { return use[hubs_[hub].term] != 0; });
    if (!tree) return std::nullopt;
    Core core{{}, 0};
    for (std::uint32_t h : tree->hubs) core.terms.push_back(hubs_[h].term);
    make_unique(core.terms);
    const std::size_t repeated = tree->hubs.size() - core.terms.size(), pieces = tree->ends.size() - 1;
    if (pieces <= repeated) return std::nullopt;
    core.demand = pieces - repeated;
    return core;
}

void CoreFinder::begin_circles(const Use& use) {
    std::vector<Pair> inner = arcs(use);
    component_ = strong_components(Adjacency(nodes(), inner)).of;
    std::erase_if(inner, [&](const Pair& arc) { return component_[arc.first] != component_[arc.second]; });
    inner_ = Adjacency(nodes(), inner);
    inner_turned_ = Adjacency(nodes(), turned(std::move(inner)));
    for (Paths* paths : {&inner_to_, &inner_back_}) paths->resize();
    Labels name(component_.size(), static_cast<Vertex>(p_.count));
    Vertex count = 0;
    with_ = Bits(p_.count);
    for (std::size_t v = 0; v < component_.size(); ++v) {
        Vertex& n = name[component_[v]];
        if (n == p_.count) n = v < p_.count ? count++ : n;
        component_[v] = n;
        if (v < p_.count) put(with_[n], v);
    }
}

std::optional<Core> CoreFinder::circle(Vertex v, const Use& use) {
    if (!has_conflict(v)) return std::nullopt;
    auto active = [&](std::size_t hub) { return use[hubs_[hub].term] != 0; };
    Vertex nearest = Paths::unreached;
    std::uint32_t least = Paths::unreached;
    auto look_at = [&](std::span<const Vertex> fresh) {
        for (Vertex x : fresh) {
            if (x >= p_.count || !holds(r_.apart[v], x)) continue;
            if (inner_to_.distance(x) == Paths::unreached || inner_back_.distance(x) == Paths::unreached) continue;
            const std::uint32_t distance = inner_to_.distance(x) + inner_back_.distance(x);
            if (std::pair(distance, x) < std::pair(least, nearest)) least = distance, nearest = x;
        }
    };
    inner_to_.begin(std::span(&v, 1)), inner_back_.begin(std::span(&v, 1));
    for (std::uint32_t beyond = 1; least > beyond; ++beyond) {  // vertices that are not reached in both directions are at
                                                                // least this far away
        const bool forwards = inner_to_.step(active), backwards = inner_back_.step(active);
        look_at(inner_to_.fresh()), look_at(inner_back_.fresh());
        if (!forwards && !backwards) break;
    }
    if (nearest == Paths::unreached) return std::nullopt;
    Core core{{}, 1};
    collect(inner_to_, nearest, core.terms);
    collect(inner_back_, nearest, core.terms);
    make_unique(core.terms);
    return core;
}

void CoreFinder::collect(const Paths& paths, Vertex end, std::vector<std::uint32_t>& terms) const {
    for (Vertex v = end; v != paths.from(v); v = paths.from(v))
        if (v >= p_.count) terms.push_back(hubs_[v - p_.count].term);
}

}  // namespace sinter::fuse::solve
