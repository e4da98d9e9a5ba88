// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/solve/search/coarsen.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <tuple>

namespace sinter::fuse::solve {

Coarsening::Coarsening(const Node& node, const Relations& relations, const Allowed& allowed)
    : node_(node),
      allowed_(allowed),
      labels_(node.problem.count),
      members_(node.problem.count),
      above_(relations.above),
      below_(relations.below),
      apart_(relations.apart) {
    std::iota(labels_.begin(), labels_.end(), 0);
    for (Vertex v = 0; v < labels_.size(); ++v) put(members_[v], v);
}

void Coarsening::take(std::vector<std::uint64_t>& set, Vertex v) const {
    if (!holds(set, v)) unite(set, members_[labels_[v]]);
}

void Coarsening::close(std::vector<std::uint64_t>& set) const {
    std::vector<std::uint64_t> above(set.size(), 0), below(set.size(), 0);
    for_each(ConstRow(set), [&](std::size_t v) {
        if (labels_[v] == v) unite(above, above_[v]), unite(below, below_[v]);
    });
    for (std::size_t w = 0; w < set.size(); ++w) set[w] |= above[w] & below[w];
}

bool Coarsening::is_allowed(ConstRow set) const {
    bool apart = false;
    for_each(set, [&](std::size_t v) { apart = apart || (labels_[v] == v && meet(apart_[v], set)); });
    return !apart && !allowed_(all_members(node_, set));
}

bool Coarsening::merge(std::span<const Vertex> vertices) {
    std::vector<std::uint64_t> set(members_.words(), 0);
    for (Vertex v : vertices) take(set, v);
    if (std::all_of(vertices.begin(), vertices.end(), [&](Vertex v) { return labels_[v] == labels_[vertices[0]]; }))
        return true;
    close(set);
    if (!is_allowed(set)) return false;
    commit(set);
    return true;
}

void Coarsening::commit(ConstRow set) {
    std::vector<std::uint64_t> above(set.size(), 0), below(set.size(), 0), apart(set.size(), 0);
    Vertex name = static_cast<Vertex>(labels_.size());
    for_each(set, [&](std::size_t v) {
        if (labels_[v] == v) unite(above, above_[v]), unite(below, below_[v]), unite(apart, apart_[v]);
        name = std::min(name, static_cast<Vertex>(v));
    });
    for (std::size_t w = 0; w < set.size(); ++w) above[w] &= ~set[w], below[w] &= ~set[w];
    for_each(set, [&](std::size_t v) { labels_[v] = name; });
    std::copy(set.begin(), set.end(), members_[name].begin());
    std::copy(above.begin(), above.end(), above_[name].begin());
    std::copy(below.begin(), below.end(), below_[name].begin());
    std::copy(apart.begin(), apart.end(), apart_[name].begin());
    for (Vertex v = 0; v < labels_.size(); ++v) {
        if (labels_[v] != v || v == name) continue;
        if (meet(below_[v], set)) unite(below_[v], set), unite(below_[v], below);
        if (meet(above_[v], set)) unite(above_[v], set), unite(above_[v], above);
    }
}

std::vector<Vertex> all_members(const Node& node, ConstRow set) {
    std::vector<Vertex> all;
    for_each(set, [&](std::size_t v) { all.insert(all.end(), node.members[v].begin(), node.members[v].end()); });
    std::sort(all.begin(), all.end());
    return all;
}

Labels merge_by_weight(const Node& node, const Relations& relations, const Allowed& allowed, const Labels& start,
                       std::uint32_t attempt) {
    Coarsening coarsening(node, relations, allowed);
    for (const auto& cluster : clusters(start)) coarsening.merge(cluster);
    std::vector<std::tuple<bool, double, const Term*>> terms;
    auto is_whole = [&](const Term& term) {
        return std::all_of(term.members.begin(), term.members.end(),
                           [&](Vertex v) { return start[v] == start[term.members[0]]; });
    };
    std::minstd_rand random(attempt);
    std::uniform_real_distribution<double> blur(1, attempt == 0 ? 1 : 3);
    for (const Term& term : node.problem.terms) terms.emplace_back(is_whole(term), term.weight * blur(random), &term);
    std::stable_sort(terms.begin(), terms.end(), [](auto& a, auto& b) {
        return std::tie(std::get<0>(a), std::get<1>(a)) > std::tie(std::get<0>(b), std::get<1>(b));
    });
    for (auto [whole, weight, term] : terms) {
        if (coarsening.merge(term->members) || !term->connects) continue;
        for (std::size_t k = 1; k < term->members.size(); ++k)
            coarsening.merge(std::array{term->members[k - 1], term->members[k]});
    }
    return coarsening.labels();
}

}  // namespace sinter::fuse::solve
