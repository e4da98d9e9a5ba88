// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/solve/problem/conditions.hpp"

#include "fuse/solve/problem/graph.hpp"
#include "fuse/solve/problem/results.hpp"

#include <algorithm>
#include <array>

namespace sinter::fuse::solve {

namespace {

class Question {
  public:
    explicit Question(const Relations& relations) : r_(relations), set_(relations.apart.words()) {}

    /// True if nothing prevents the pair and `others` from sharing a cluster.
    bool may_share(Pair pair, std::span<const Vertex> others) {
        std::fill(set_.begin(), set_.end(), 0);
        put(set_, pair.first), put(set_, pair.second);
        for (Vertex v : others) put(set_, v);
        close_convexly(r_, set_);
        return !holds_apart(r_, ConstRow(set_));
    }

    /// The others of a condition that are still possible.
    std::vector<Vertex> possible(const Condition& c) {
        if (c.all) return may_share(c.pair, c.others) ? c.others : std::vector<Vertex>();
        std::vector<Vertex> result;
        std::copy_if(c.others.begin(), c.others.end(), std::back_inserter(result),
                     [&](Vertex v) { return may_share(c.pair, std::array{v}); });
        return result;
    }

  private:
    const Relations& r_;
    std::vector<std::uint64_t> set_;
};

/// A vertex that stores a result makes results of other shapes only for its own cluster.
void add_implied(const Problem& problem, std::vector<Pair>& arcs) {
    for (const Result& result : problem.results) {
        if (result.stored) continue;
        auto excludes = [&](const Result& other) {
            return other.stored && other.vertex == result.vertex && !go_together(problem, other.shape, result.shape);
        };
        if (std::none_of(problem.results.begin(), problem.results.end(), excludes)) continue;
        for (Vertex v : result.readers) arcs.emplace_back(result.vertex, v), arcs.emplace_back(v, result.vertex);
    }
}

}  // namespace

bool separate_unmet(Problem& problem, const Relations& relations) {
    Question question(relations);
    std::size_t before = problem.separations.size();
    std::erase_if(problem.conditions, [&](Condition& c) {
        auto [a, b] = c.pair;
        if (a == b) return false;
        if (holds(relations.apart[a], b)) return true;
        std::vector<Vertex> possible = question.possible(c);
        if (possible.empty()) problem.separations.push_back(c.pair);
        c.others = std::move(possible);
        return c.others.empty();
    });
    return problem.separations.size() > before;
}

std::optional<Labels> implied(const Problem& problem, const Relations& relations) {
    Question question(relations);
    std::vector<Pair> arcs = problem.arcs;
    for (const Condition& c : problem.conditions) {
        if (c.pair.first != c.pair.second) continue;
        std::vector<Vertex> possible = question.possible(c);
        if (possible.size() > 1 && !c.all) continue;
        for (Vertex v : possible.empty() ? c.others : possible)
            arcs.emplace_back(c.pair.first, v), arcs.emplace_back(v, c.pair.first);
    }
    add_implied(problem, arcs);
    if (arcs.size() == problem.arcs.size()) return std::nullopt;
    return component_labels(Adjacency(problem.count, arcs), problem.count);
}

}  // namespace sinter::fuse::solve
