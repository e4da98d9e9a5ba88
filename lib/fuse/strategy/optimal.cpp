// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search works on pairs and terms. For anything beyond that it asks Legality, cluster by cluster, so that a new rule in
// Legality needs no change here.
#include "fuse/strategy/optimal.hpp"

#include "fuse/solve/problem/shares.hpp"
#include "fuse/solve/search.hpp"
#include "fuse/strategy/encode.hpp"
#include "fuse/strategy/strategies.hpp"
#include "fuse/tuning.hpp"

#include <algorithm>

namespace sinter::fuse {

using solve::Vertex;

namespace {

class Judge {
  public:
    explicit Judge(const DepGraph& graph) : graph_(graph), legality_(graph) {}

    std::optional<solve::Conflict> operator()(std::span<const Vertex> vertices) {
        operations_.clear();
        for (Vertex v : vertices) operations_.push_back(graph_.vertices[v]);
        auto h = legality_.hindrance(operations_);
        if (!h) return std::nullopt;
        return solve::Conflict{vertex(h->first), vertex(h->second.valid() ? h->second : h->first), is_general(*h)};
    }

  private:
    Vertex vertex(Operation op) const {
        return static_cast<Vertex>(std::lower_bound(graph_.vertices.begin(), graph_.vertices.end(), op) -
                                   graph_.vertices.begin());
    }

    /// True if the two operations prevent each other in every cluster, not only in this one.
    bool is_general(const Hindrance& h) const {
        using Kind = Hindrance::Kind;
        switch (h.kind) {
            case Kind::edge:
                return h.obstacle != Obstacle::repetition;
            case Kind::axes:
            case Kind::directions:
            case Kind::extents:
            case Kind::patterns:
            case Kind::prefixes:
                return true;
            case Kind::shapes:
                return graph_.any_stored(h.first) && graph_.any_stored(h.second) && !some_fold_joins(h.first, h.second);
            default:
                return false;
        }
    }

    /// True if elements of one of the shapes could be reduced to results of the other.
    bool some_fold_joins(Operation a, Operation b) const {
        const ir::Shape &x = graph_.points(a), &y = graph_.points(b);
        return std::any_of(graph_.vertices.begin(), graph_.vertices.end(), [&](Operation op) {
            if (!graph_.fold(op)) return false;
            const ir::Shape &space = graph_.space(op), &points = graph_.points(op);
            return (space == x && points == y) || (space == y && points == x);
        });
    }

    const DepGraph& graph_;
    Legality legality_;
    Operations operations_;
};

/// The part of cost() that the problem does not express.
class Excess {
  public:
    Excess(const DepGraph& graph, const Prices& prices, const solve::Problem& problem)
        : graph_(graph), prices_(prices), legality_(graph), shares_(problem), alone_(problem.count, unknown) {}

    double operator()(std::span<const Vertex> vertices) {
        if (prices_.edge() > 0) return 0;  // these are terms of pairs
        double expected = 0;
        for (Vertex v : vertices) expected += alone(v);
        return std::max(0.0, beyond(vertices) - expected);
    }

  private:
    static constexpr double unknown = std::numeric_limits<double>::infinity();

    /// The part that is counted in any clustering.
    double alone(Vertex v) {
        if (alone_[v] == unknown) alone_[v] = beyond(std::span(&v, 1));
        return alone_[v];
    }

    double beyond(std::span<const Vertex> vertices) {
        operations_.clear();
        for (Vertex v : vertices) operations_.push_back(graph_.vertices[v]);
        return cost(graph_, legality_, operations_, prices_) - shares_.of(vertices);
    }

    const DepGraph& graph_;
    const Prices& prices_;
    Legality legality_;
    solve::Shares shares_;
    std::vector<double> alone_;
    Operations operations_;
};

/// What any partition costs: one launch, and whatever is written in every case.
double least_cost(const DepGraph& graph, const Prices& prices) {
    double total = prices.launch();
    for (Operation op : graph.vertices)
        for (std::size_t k = 0; k < graph.result_count(op) && graph.roles[op.index] != Role::barrier; ++k)
            if (graph.stored[graph.result(op, k).index]) total += prices.written(graph.binding(op).types[k]);
    return total;
}

void keep_better(const DepGraph& graph, Clusters clusters, const Prices& prices, Optimum& best) {
    double c = cost(graph, clusters, prices);
    if (c < best.cost) best.cost = c, best.clusters = std::move(clusters);
}

}  // namespace

Optimum optimal(const DepGraph& graph, const Prices& prices, std::chrono::duration<double> deadline, double limit) {
    Clusters start = t2(graph);
    if (graph.vertices.size() > tuning::search_limit) {
        double c = cost(graph, start, prices);
        return {std::move(start), c, std::min(c, least_cost(graph, prices)), true};
    }
    Judge judge(graph);
    solve::Deadline end(deadline);
    const solve::Problem problem = encode(graph, prices);
    Excess excess(graph, prices, problem);
    solve::Solution found = solve::solve(problem, std::ref(judge), to_labels(graph, start), end, limit, std::ref(excess));
    Clusters clusters = to_clusters(graph, found.labels);
    double own = cost(graph, clusters, prices);
    Optimum best{std::move(clusters), own, found.lower, !found.coarsest, found.nodes};
    const bool may_be_better = best.lower < std::min(best.cost, limit);
    if (may_be_better) keep_better(graph, std::move(start), prices, best);
    if (may_be_better && best.lower < best.cost && graph.vertices.size() <= tuning::greedy_limit) {
        keep_better(graph, greedy_down(graph), prices, best);
        keep_better(graph, greedy_up(graph), prices, best);
    }
    best.lower = std::min(best.lower, best.cost);
    return best;
}

}  // namespace sinter::fuse
