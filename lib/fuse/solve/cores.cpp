// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/solve/cores.hpp"

#include <algorithm>
#include <array>

namespace sinter::fuse::solve {

namespace {

/// Of two circles that are paid for alike, the one with fewer hubs.
constexpr double per_hub = 1e-6;
/// Less is not enough: sums are inexact.
constexpr double violated = 1 - 1e-3;

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
      own_hubs_(hubs.size()),
      forwards_(nodes(), arcs()),
      backwards_(nodes(), turned(arcs())),
      to_(problem.count, forwards_),
      back_(problem.count, backwards_),
      inner_to_(problem.count, inner_),
      inner_back_(problem.count, inner_turned_),
      cheap_to_(problem.count, inner_),
      cheap_back_(problem.count, inner_),
      trees_(problem.count, hubs, relations) {}

void CoreFinder::set_links(std::vector<Hub> links) {
    if (links.empty() && hubs_.size() == own_hubs_) return;
    hubs_.resize(own_hubs_);
    std::move(links.begin(), links.end(), std::back_inserter(hubs_));
    forwards_ = Adjacency(nodes(), arcs());
    backwards_ = Adjacency(nodes(), turned(arcs()));
    for (Paths* paths : {&to_, &back_}) paths->resize();
}

std::vector<Pair> CoreFinder::arcs() const {
    std::vector<Pair> result = p_.arcs;
    for (std::size_t h = 0; h < hubs_.size(); ++h) join(result, hubs_[h].members, static_cast<Vertex>(p_.count + h));
    return result;
}

std::vector<Pair> CoreFinder::arcs(const Use& use) const {
    std::vector<Pair> result = p_.arcs;
    for (std::size_t h = 0; h < hubs_.size(); ++h)
        if (use[hubs_[h].term]) join(result, hubs_[h].members, static_cast<Vertex>(p_.count + h));
    return result;
}

Labels CoreFinder::labels(const Use& use) const { return component_labels(Adjacency(nodes(), arcs(use)), p_.count); }

/// All pieces but one are paid for. A term that several of its hubs belong to may be paid for once for all of them.
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
    for (CheapPaths* paths : {&cheap_to_, &cheap_back_}) paths->resize();
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
    for (std::uint32_t beyond = 1; least > beyond; ++beyond) {  // what is not reached both ways is as far as that
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

std::optional<std::vector<std::uint32_t>> CoreFinder::reason(Pair pair, const Use& use) {
    std::vector<std::uint32_t> terms;
    if (holds(r_.apart[pair.first], pair.second)) return terms;
    const std::array starts{pair.first, pair.second};
    auto active = [&](std::size_t hub) { return use[hubs_[hub].term] != 0; };
    to_.find(starts, active);
    back_.find(starts, active);
    std::vector<std::pair<std::uint32_t, Vertex>> circle;  // vertices on circles through the two, by length
    std::vector<std::uint64_t> near(r_.apart.words(), 0);
    for (Vertex v = 0; v < p_.count; ++v)
        if (to_.distance(v) != Paths::unreached && back_.distance(v) != Paths::unreached)
            circle.emplace_back(to_.distance(v) + back_.distance(v), v);
    std::sort(circle.begin(), circle.end());
    for (auto [length, v] : circle) {
        if (!meet(r_.apart[v], near)) {
            put(near, v);
            continue;
        }
        const auto other = std::find_if(circle.begin(), circle.end(), [&](auto& c) { return holds(r_.apart[v], c.second); });
        for (Vertex end : {v, other->second}) collect(to_, end, terms), collect(back_, end, terms);
        make_unique(terms);
        return terms;
    }
    return std::nullopt;
}

std::optional<std::vector<std::uint32_t>> CoreFinder::together(Pair pair, const Use& use) {
    auto active = [&](std::size_t hub) { return use[hubs_[hub].term] != 0; };
    to_.find(std::span(&pair.first, 1), active);
    back_.find(std::span(&pair.first, 1), active);
    if (to_.distance(pair.second) == Paths::unreached || back_.distance(pair.second) == Paths::unreached) return {};
    std::vector<std::uint32_t> terms;
    collect(to_, pair.second, terms), collect(back_, pair.second, terms);
    make_unique(terms);
    return terms;
}

std::optional<Core> CoreFinder::cheap_circle(Vertex v, const std::vector<double>& paid) {
    if (!has_conflict(v)) return std::nullopt;
    cheap_to_.find(std::span(&v, 1), [&](std::size_t hub) { return paid[hubs_[hub].term] + per_hub; });
    Vertex nearest = v;
    for_each(r_.apart[v], [&](std::size_t x) {
        if (nearest == v || cheap_to_.distance(static_cast<Vertex>(x)) < cheap_to_.distance(nearest))
            nearest = static_cast<Vertex>(x);
    });
    if (cheap_to_.distance(nearest) >= 1) return std::nullopt;
    return cheap_circle(v, nearest, paid);
}

std::optional<Vertex> CoreFinder::may_have_cheap_circle(std::span<const Vertex> together, const std::vector<double>& paid) {
    if (std::none_of(together.begin(), together.end(), [&](Vertex v) { return has_conflict(v); })) return std::nullopt;
    auto price = [&](std::size_t hub) { return paid[hubs_[hub].term] + per_hub; };
    cheap_to_.find(together, price);
    Pair nearest(together[0], together[0]);
    double least = 1;
    for (Vertex v : together)
        for_each(r_.apart[v], [&](std::size_t x) {
            const double distance = cheap_to_.distance(static_cast<Vertex>(x));
            if (distance < least) least = distance, nearest = {v, static_cast<Vertex>(x)};
        });
    if (least >= 1) return std::nullopt;
    cheap_back_.find(std::span(&nearest.second, 1), price);
    return least + cheap_back_.distance(nearest.first) < 1.5 ? std::optional(nearest.first) : std::nullopt;
}

/// What was paid for on the way there costs nothing on the way back.
std::optional<Core> CoreFinder::cheap_circle(Vertex v, Vertex other, const std::vector<double>& paid) {
    Core core{{}, 1};
    collect(cheap_to_, other, core.terms);
    price_ = paid;
    for (std::uint32_t t : core.terms) price_[t] = 0;
    cheap_back_.find(std::span(&other, 1), [&](std::size_t hub) { return price_[hubs_[hub].term] + per_hub; });
    if (cheap_back_.distance(v) >= 1) return std::nullopt;
    collect(cheap_back_, v, core.terms);
    make_unique(core.terms);
    double sum = 0;
    for (std::uint32_t t : core.terms) sum += paid[t];
    return sum < violated ? std::optional(std::move(core)) : std::nullopt;
}

template <class AnyPaths>
void CoreFinder::collect(const AnyPaths& paths, Vertex end, std::vector<std::uint32_t>& terms) const {
    for (Vertex v = end; v != paths.from(v); v = paths.from(v))
        if (v >= p_.count) terms.push_back(hubs_[v - p_.count].term);
}

}  // namespace sinter::fuse::solve
