// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/graph/read_orders.hpp"

#include <algorithm>

namespace sinter::fuse {

using solve::Vertex;

namespace {

class Adder {
  public:
    Adder(const DepGraph& graph, PossibleOrders& orders, solve::Problem& problem)
        : graph_(graph), orders_(orders), p_(problem), vertex_(graph.roles.size()) {
        for (Vertex v = 0; v < p_.count; ++v) vertex_[graph.vertices[v].index] = v;
    }

    void add(const SharedRead& shared) {
        if (shared.accesses.size() < 2) return;
        solve::ReadOrders result{shared.price, {}};
        for (const Access* access : shared.accesses)
            if (auto read = read_of(*access)) result.reads.push_back(*read);
        if (!solve::may_differ(result)) return;
        for (const solve::Read& read : result.reads) {
            p_.movable[read.reader] = false;
            for (const solve::Following& f : read.following) p_.movable[f.leader] = false;
        }
        p_.read_orders.push_back(std::move(result));
    }

  private:
    std::optional<solve::Read> read_of(const Access& access) {
        solve::Read read{vertex_[access.reader.index], orders_.course(access.label).index, {}};
        if (orders_.may_be_row_read(access)) return row_read(access, std::move(read));
        const auto leaders = orders_.following(access.reader);
        if (!leaders) return std::nullopt;
        for (const Following& f : *leaders)
            read.following.push_back(
                {vertex_[f.leader.index], orders_.course(orders_.compose(f.order, access.label)).index});
        return read;
    }

    /// The value of a row is read at the row's point if a fold makes the rows (legality.hpp).
    std::optional<solve::Read> row_read(const Access& access, solve::Read read) const {
        const std::vector<Operation> folds = orders_.row_folds(access);
        if (access.reduced) {
            read.own = identity.index;
            const bool is_its_own = std::find(folds.begin(), folds.end(), access.reader) != folds.end();
            return is_its_own ? std::optional(std::move(read)) : std::nullopt;
        }
        if (!orders_.is_rigid(access.reader)) return std::nullopt;
        for (Operation fold : folds) {
            if (graph_.space(fold) != graph_.space(access.reader)) return std::nullopt;
            read.following.push_back({vertex_[fold.index], identity.index});
        }
        return read;
    }

    const DepGraph& graph_;
    PossibleOrders& orders_;
    solve::Problem& p_;
    std::vector<Vertex> vertex_;  ///< by operation
};

}  // namespace

void add_read_orders(const DepGraph& graph, PossibleOrders& orders, const std::vector<SharedRead>& reads,
                     solve::Problem& problem) {
    if (reads.empty()) return;
    Adder adder(graph, orders, problem);
    for (const SharedRead& read : reads) adder.add(read);
}

}  // namespace sinter::fuse
