// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/solve/search/contested_order.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

namespace {

/// A read in a clustering.
struct Use {
    Vertex cluster;
    std::uint32_t order;
    Vertex reader, leader;  ///< equal if it is in the reader's own order
};

Use use_of(const Read& read, const Labels& labels) {
    Use use{labels[read.reader], read.own, read.reader, read.reader};
    for (const Following& f : read.following)
        if (labels[f.leader] == use.cluster) use.order = f.order, use.leader = f.leader;
    return use;
}

}  // namespace

std::optional<Pair> contested_order(const Problem& problem, const Relations& relations, const Labels& labels) {
    std::optional<Pair> result;
    double heaviest = 0;
    std::vector<Use> uses;
    for (const ReadOrders& orders : problem.read_orders) {
        if (orders.weight <= heaviest) continue;
        uses.clear();
        for (const Read& read : orders.reads) uses.push_back(use_of(read, labels));
        const auto contested = std::find_if(uses.begin(), uses.end(), [&](const Use& use) {
            if (!holds(relations.below[use.reader], use.leader)) return false;
            auto differs = [&](const Use& other) { return other.cluster == use.cluster && other.order != use.order; };
            return std::any_of(uses.begin(), uses.end(), differs);
        });
        if (contested == uses.end()) continue;
        heaviest = orders.weight;
        result = std::minmax(contested->reader, contested->leader);
    }
    return result;
}

}  // namespace sinter::fuse::solve
