// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/solve/problem/problem.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

namespace {

std::size_t distinct(const Term& term, const Labels& labels, std::vector<Vertex>& seen) {
    seen.clear();
    for (Vertex v : term.members) seen.push_back(labels[v]);
    std::sort(seen.begin(), seen.end());
    return static_cast<std::size_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
}

std::uint32_t order_of(const Read& read, const Labels& labels) {
    std::uint32_t order = read.own;
    for (const Following& f : read.following)
        if (labels[f.leader] == labels[read.reader]) order = f.order;
    return order;
}

/// What clusters pay for orders beyond the first.
double cost(const ReadOrders& orders, const Labels& labels, std::vector<Pair>& seen) {
    seen.clear();
    for (const Read& read : orders.reads) seen.emplace_back(labels[read.reader], order_of(read, labels));
    std::sort(seen.begin(), seen.end());
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    double further = 0;
    for (std::size_t k = 1; k < seen.size(); ++k) further += seen[k].first == seen[k - 1].first ? 1 : 0;
    return orders.weight * further;
}

}  // namespace

bool may_differ(const ReadOrders& orders) {
    if (orders.weight <= 0 || orders.reads.empty()) return false;
    const std::uint32_t any = orders.reads[0].own;
    return std::any_of(orders.reads.begin(), orders.reads.end(), [&](const Read& read) {
        auto differs = [&](const Following& f) { return f.order != any; };
        return read.own != any || std::any_of(read.following.begin(), read.following.end(), differs);
    });
}

double cost(const Problem& problem, const Labels& labels) {
    std::vector<Vertex> seen = labels;
    std::sort(seen.begin(), seen.end());
    auto count = std::unique(seen.begin(), seen.end()) - seen.begin();
    double total = problem.constant + problem.launch * static_cast<double>(count);
    for (const Term& term : problem.terms) {
        auto more = static_cast<double>(distinct(term, labels, seen) - 1);
        total += term.weight * (term.kind == Term::Kind::together ? std::min(more, 1.0) : more);
    }
    std::vector<Pair> orders;
    for (const ReadOrders& reads : problem.read_orders) total += cost(reads, labels, orders);
    return total;
}

std::vector<std::vector<Vertex>> clusters(const Labels& labels) {
    std::vector<std::vector<Vertex>> result;
    std::vector<std::size_t> at(labels.size(), labels.size());
    for (Vertex v = 0; v < labels.size(); ++v) {
        std::size_t& position = at[labels[v]];
        if (position == labels.size()) {
            position = result.size();
            result.emplace_back();
        }
        result[position].push_back(v);
    }
    return result;
}

Labels labels_of(std::size_t count, const std::vector<std::vector<Vertex>>& clusters) {
    Labels labels(count);
    for (const auto& cluster : clusters)
        for (Vertex v : cluster) labels[v] = cluster.front();
    return labels;
}

}  // namespace sinter::fuse::solve
