// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branch and bound: contract, split into independent parts, bound; if the bound does not meet the best clustering known,
// choose a pair of vertices, and try it together and apart.
#include "fuse/solve/search/branch_and_bound.hpp"

#include "fuse/solve/bound/bound.hpp"
#include "fuse/solve/bound/launches.hpp"
#include "fuse/solve/bound/relax.hpp"
#include "fuse/solve/problem/conditions.hpp"
#include "fuse/solve/problem/graph.hpp"
#include "fuse/solve/problem/results.hpp"
#include "fuse/solve/search/coarsen.hpp"
#include "fuse/solve/search/contested_order.hpp"
#include "fuse/solve/search/decide.hpp"
#include "fuse/solve/search/open_pairs.hpp"
#include "fuse/tuning.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace sinter::fuse::solve {

bool is_coarsest(const Problem& problem, const Relations& relations, const Labels& labels) {
    bool result = problem.read_orders.empty();
    for_each_open(problem, relations,
                  [&](const Term&, Pair pair) { result = result && labels[pair.first] == labels[pair.second]; });
    return result;
}

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

class Search {
  public:
    Search(const Allowed& allowed, const Surcharge& surcharge, const Deadline& deadline)
        : allowed_(allowed), surcharge_(surcharge), deadline_(deadline) {}

    /// A problem, or an independent part of one.
    Outcome start(Node node, double limit) {
        Outcome result = solve(std::move(node), limit);
        result.nodes = nodes_;
        return result;
    }

  private:
    Outcome solve(Node node, double limit) {
        Parts parts = split(contract(std::move(node)));
        if (parts.nodes.size() == 1) return solve_part(std::move(parts.nodes[0]), limit);
        return solve_parts(std::move(parts), limit);
    }

    Outcome solve_parts(Parts parts, double limit) {
        Outcome all{parts.constant, parts.constant, {}};
        std::sort(parts.nodes.begin(), parts.nodes.end(),
                  [](const Node& a, const Node& b) { return a.problem.count < b.problem.count; });
        for (Node& part : parts.nodes) {
            Outcome one = solve_part(std::move(part), limit - all.lower);
            all.lower += one.lower;
            all.cost += one.cost;
            std::move(one.clusters.begin(), one.clusters.end(), std::back_inserter(all.clusters));
        }
        return all;
    }

    Outcome solve_part(Node node, double limit) {
        if (node.problem.count == 1) return solve_one(std::move(node));
        if (node.problem.count > tuning::most_vertices || deadline_.passed())
            return {node.problem.constant + node.problem.launch, infinite, {}};
        Relations relations = relate(node.problem);
        while (learn(node.problem, relations)) relations = relate(node.problem);
        if (are_impossible(relations)) return {};
        if (auto labels = implied(node.problem, relations)) return merged(node, relations, *labels, limit);
        settle(node, relations);
        Parts parts = split(std::move(node));
        if (parts.nodes.size() > 1) return solve_parts(std::move(parts), limit);
        return branch_and_bound(parts.nodes[0], relations, limit);
    }

    /// Derives further relations from the known ones.
    static bool learn(Problem& problem, const Relations& relations) {
        const bool unmet = separate_unmet(problem, relations), stored = mark_stored(problem, relations);
        return unmet || stored;
    }

    static bool are_impossible(const Relations& relations) {
        return std::any_of(relations.order.begin(), relations.order.end(),
                           [&](Vertex v) { return holds(relations.apart[v], v); });
    }

    /// Solves a node whose vertices can no longer be merged with one another or anything else.
    Outcome solve_one(Node node) {
        if (node.members[0].size() > 1 && allowed_(node.members[0])) return {};
        const double cost = solve::cost(node.problem, Labels{0}) + beyond(node.members[0]);
        return {cost, cost, {std::move(node.members[0])}};
    }

    Outcome branch_and_bound(Node& node, const Relations& relations, double limit) {
        ++nodes_;
        const Problem relaxed = with_launches_as_terms(relax(node.problem, relations));
        const Bound b = bound(relaxed, relations, deadline_);
        Outcome best{b.lower, infinite, {}};
        if (best.lower >= limit) return best;
        std::optional<Conflict> conflict;  // a bound that the deadline cuts short leaves clusters that are not feasible
        if (!deadline_.passed()) conflict = improve(node, b.labels, best);
        if (nodes_ == 1) first_clusterings(node, relations, b, best);
        limit = std::min(limit, best.cost);
        if (best.lower >= limit) return best;
        Labels labels = b.labels;
        if (best.cost > b.lower) {
            labels = merge_by_weight(node, relations, allowed_, labels);
            bool failed = improve(node, labels, best).has_value();
            if (!conflict && !failed && is_coarsest(node.problem, relations, labels))
                best.lower = std::max(best.lower, std::min(best.cost, cost(node.problem, labels)));
        }
        limit = std::min(limit, best.cost);
        if (best.lower >= limit || deadline_.passed()) return best;
        if (conflict && conflict->always) return at_least(b.lower, without(node, relations, *conflict, best, limit));
        Decisions decisions = decide(relaxed, relations, b, limit);
        if (!decisions.any) {
            auto pair = decisions.open;
            if (decisions.score <= 0) {
                if (auto contested = contested_order(node.problem, relations, conflict ? b.labels : labels))
                    pair = contested;
                else if (conflict)
                    pair = choose(node, relations, b, *conflict);
            }
            return branch_on(node, relations, b, pair, std::move(best), limit);
        }
        Outcome rest = better(std::move(best), decided(node, relations, std::move(decisions), limit));
        rest.lower = std::min(rest.lower, limit);
        return at_least(b.lower, std::move(rest));
    }

    /// Looks for good clusterings before the search.
    void first_clusterings(const Node& node, const Relations& relations, const Bound& b, Outcome& best) {
        Labels alone(node.problem.count);
        std::iota(alone.begin(), alone.end(), 0);
        for (std::uint32_t k = 0, vain = 0; k <= tuning::first_attempts && vain < tuning::vain_attempts; ++k) {
            if (best.cost <= best.lower || deadline_.passed()) break;
            const double before = best.cost;
            improve(node, merge_by_weight(node, relations, allowed_, k % 2 ? alone : b.labels, k), best);
            vain = best.cost < before ? 0 : vain + 1;
        }
    }

    Outcome branch_on(const Node& node, const Relations& relations, const Bound& b, std::optional<Pair> pair, Outcome best,
                      double limit) {
        if (pair) return branch(node, relations, *pair, together_first(b.labels, *pair), std::move(best), limit);
        best.lower = best.cost;  // nothing is left to decide
        return best;
    }

    static Outcome at_least(double lower, Outcome outcome) {
        outcome.lower = std::max(outcome.lower, lower);
        return outcome;
    }

    Outcome decided(const Node& node, const Relations& relations, Decisions decisions, double limit) {
        Labels labels = component_labels(Adjacency(decisions.count, decisions.arcs), node.problem.count);
        for (auto [a, b] : decisions.separations)
            if (labels[a] == labels[b]) return {};
        Node child = node;
        auto& separations = child.problem.separations;
        separations.insert(separations.end(), decisions.separations.begin(), decisions.separations.end());
        return merged(child, relations, labels, limit);
    }

    /// The node after merging vertices with the same label, which may turn out to be impossible.
    Outcome merged(const Node& node, const Relations& relations, const Labels& labels, double limit) {
        std::vector<std::uint64_t> set(relations.apart.words());
        for (const auto& cluster : clusters(labels)) {
            std::fill(set.begin(), set.end(), 0);
            for (Vertex v : cluster) put(set, v);
            if (holds_apart(relations, ConstRow(set))) return {};
        }
        return solve(quotient(node, labels), limit);
    }

    static bool together_first(const Labels& labels, Pair pair) { return labels[pair.first] == labels[pair.second]; }

    /// Keeps `labels` if they are better than the best and allowed; otherwise returns the conflict.
    std::optional<Conflict> improve(const Node& node, const Labels& labels, Outcome& best) {
        double c = cost(node.problem, labels);
        std::vector<std::vector<Vertex>> own;
        for (const auto& cluster : clusters(labels)) {
            own.push_back({});
            for (Vertex v : cluster) own.back().insert(own.back().end(), node.members[v].begin(), node.members[v].end());
            std::sort(own.back().begin(), own.back().end());
            if (own.back().size() > 1)
                if (auto conflict = allowed_(own.back())) return in(node, *conflict);
        }
        if (c >= best.cost) return std::nullopt;
        for (const auto& cluster : own) c += beyond(cluster);
        if (c < best.cost) best.cost = c, best.clusters = std::move(own);
        return std::nullopt;
    }

    double beyond(const std::vector<Vertex>& cluster) const {
        return surcharge_ && cluster.size() > 1 ? surcharge_(cluster) : 0;
    }

    /// A conflict in terms of the node's vertices.
    static Conflict in(const Node& node, Conflict conflict) {
        auto holder = [&](Vertex member) {
            auto has = [&](const std::vector<Vertex>& list) { return std::binary_search(list.begin(), list.end(), member); };
            auto found = std::find_if(node.members.begin(), node.members.end(), has);
            return static_cast<Vertex>(found - node.members.begin());
        };
        return {holder(conflict.first), holder(conflict.second), conflict.always};
    }

    /// What to decide next: the conflict at hand, or the heaviest pair. All of these are connected by terms, which
    /// contract() expects of merged vertices.
    std::optional<Pair> choose(const Node& node, const Relations& relations, const Bound& b, const Conflict& conflict) {
        std::optional<Pair> heaviest;
        Pair heart = std::minmax(conflict.first, conflict.second);
        std::tuple best(false, false, false, -1.0);
        auto touches = [&](Vertex v) { return v == heart.first || v == heart.second; };
        for_each_open(node.problem, relations, [&](const Term& term, Pair p) {
            const bool inside = b.labels[p.first] == b.labels[p.second] && b.labels[p.first] == b.labels[heart.first];
            std::tuple rank(p == heart, inside && (touches(p.first) || touches(p.second)), inside, term.weight);
            if (rank > best) best = rank, heaviest = p;
        });
        return heaviest;
    }

    Outcome without(const Node& node, const Relations& relations, const Conflict& conflict, const Outcome& best,
                    double limit) {
        if (conflict.first == conflict.second) return {infinite, infinite, {}};
        return better(best, apart(node, relations, {conflict.first, conflict.second}, limit));
    }

    Outcome branch(const Node& node, const Relations& relations, Pair pair, bool together_first, Outcome best,
                   double limit) {
        double lower = infinite;
        for (bool merge : {together_first, !together_first}) {
            Outcome one = merge ? together(node, relations, pair, limit) : apart(node, relations, pair, limit);
            lower = std::min(lower, one.lower);
            limit = std::min(limit, one.cost);
            double before = best.lower;
            best = better(std::move(best), std::move(one));
            best.lower = before;
        }
        best.lower = std::max(best.lower, std::min(lower, best.cost));
        return best;
    }

    /// The cheaper outcome; what is known to be impossible is taken from the second.
    static Outcome better(Outcome a, Outcome b) {
        if (a.cost < b.cost) b.cost = a.cost, b.clusters = std::move(a.clusters);
        return b;
    }

    Outcome apart(const Node& node, const Relations&, Pair pair, double limit) {
        Node child = node;
        child.problem.separations.push_back(pair);
        return solve(std::move(child), limit);
    }

    Outcome together(const Node& node, const Relations& relations, Pair pair, double limit) {
        std::vector<std::uint64_t> set(relations.apart.words(), 0);
        put(set, pair.first), put(set, pair.second);
        close_convexly(relations, set);
        if (holds_apart(relations, ConstRow(set))) return {};
        Labels labels(node.problem.count);
        std::iota(labels.begin(), labels.end(), 0);
        for_each(ConstRow(set), [&](std::size_t v) { labels[v] = pair.first; });
        return solve(quotient(node, labels), limit);
    }

    const Allowed& allowed_;
    const Surcharge& surcharge_;
    const Deadline& deadline_;
    std::size_t nodes_ = 0;
};

}  // namespace

Outcome branch_and_bound(Node node, double limit, const Allowed& allowed, const Surcharge& surcharge,
                         const Deadline& deadline) {
    return Search(allowed, surcharge, deadline).start(std::move(node), limit);
}

}  // namespace sinter::fuse::solve
