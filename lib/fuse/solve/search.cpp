// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Solves independent parts one by one, the small ones first; what one of them saves, the next may spend.
#include "fuse/solve/search.hpp"

#include "fuse/solve/problem/connectivity.hpp"
#include "fuse/solve/search/branch_and_bound.hpp"
#include "fuse/tuning.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

namespace {

Node whole(const Problem& problem) {
    Node node{problem, std::vector<std::vector<Vertex>>(problem.count)};
    for (Vertex v = 0; v < problem.count; ++v) node.members[v] = {v};
    return node;
}

/// `labels` of the whole problem, as labels of a part of which no vertices were merged.
Labels share_of(const Node& part, const Labels& labels) {
    std::vector<Vertex> first(labels.size(), static_cast<Vertex>(labels.size()));
    Labels result(part.problem.count);
    for (Vertex v = 0; v < result.size(); ++v) {
        Vertex& name = first[labels[part.members[v][0]]];
        if (name == labels.size()) name = v;
        result[v] = name;
    }
    return result;
}

class PartSolver {
  public:
    PartSolver(const Allowed& allowed, const Surcharge& surcharge, const Deadline& deadline, Solution& result)
        : allowed_(allowed), surcharge_(surcharge), deadline_(deadline), result_(result) {}

    /// Clusterings that cost `limit` or more do not matter.
    void solve(Node part, double limit) {
        bool is_small = part.problem.count <= tuning::most_vertices;
        if (!is_small) part = contract(std::move(part));
        if (part.problem.count <= tuning::most_vertices) separate_patterns(part.problem);
        improve(part, limit);
        result_.coarsest = result_.coarsest && is_small && !deadline_.passed() &&
                           is_coarsest(part.problem, relate(part.problem), share_of(part, result_.labels));
    }

  private:
    /// Replaces the incumbent's clusters in a part if there are better ones.
    void improve(const Node& part, double limit) {
        const Labels share = share_of(part, result_.labels);
        const double known = cost(part.problem, share) + beyond(part, share);
        Outcome found = branch_and_bound(part, std::min(known, limit), allowed_, surcharge_, deadline_);
        for (const auto& cluster : found.clusters)
            for (Vertex v : cluster)
                if (found.cost < known) result_.labels[v] = cluster.front();
        result_.nodes += found.nodes;
        result_.cost += std::min(found.cost, known);
        result_.lower += std::min({found.lower, found.cost, known});
    }

    double beyond(const Node& part, const Labels& share) const {
        double total = 0;
        for (const auto& cluster : clusters(share)) {
            std::vector<Vertex> all;
            for (Vertex v : cluster) all.insert(all.end(), part.members[v].begin(), part.members[v].end());
            std::sort(all.begin(), all.end());
            if (surcharge_ && all.size() > 1) total += surcharge_(all);
        }
        return total;
    }

    const Allowed& allowed_;
    const Surcharge& surcharge_;
    const Deadline& deadline_;
    Solution& result_;
};

double least(const Node& part) { return part.problem.constant + part.problem.launch; }

}  // namespace

Solution solve(const Problem& problem, const Allowed& allowed, const Labels& incumbent, const Deadline& deadline,
               double limit, const Surcharge& surcharge) {
    Connectivity connectivity(problem);
    Allowed check = [&](std::span<const Vertex> cluster) -> std::optional<Conflict> {
        if (auto stranger = connectivity.stranger(cluster)) return Conflict{cluster[0], *stranger, false};
        return allowed ? allowed(cluster) : std::nullopt;
    };
    Parts parts = split(whole(problem));
    Solution result{incumbent, parts.constant, parts.constant, true};
    PartSolver solver(check, surcharge, deadline, result);
    std::stable_sort(parts.nodes.begin(), parts.nodes.end(),
                     [](const Node& a, const Node& b) { return a.problem.count < b.problem.count; });
    double left = limit - parts.constant;  // what the parts may cost beyond the least
    for (const Node& part : parts.nodes) left -= least(part);
    for (Node& part : parts.nodes) {
        const double before = result.lower, own = least(part);
        solver.solve(std::move(part), own + left);
        left -= result.lower - before - own;
    }
    return result;
}

}  // namespace sinter::fuse::solve
