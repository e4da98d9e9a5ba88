// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How cheap a clustering could be.
#pragma once

#include "fuse/solve/deadline.hpp"
#include "fuse/solve/node.hpp"

namespace sinter::fuse::solve {

/// Vertices, and what clusterings that do not keep them together cost beyond a bound at least. Once for each term.
struct Rest {
    double weight;
    std::uint32_t term;
    bool connected;  ///< by the term
    std::vector<Vertex> members;
};

struct Bound {
    double lower = 0;        ///< no feasible clustering costs less
    Labels labels;           ///< feasible but perhaps not allowed: what is left when all conflicts are paid for
    std::vector<Rest> rest;  ///< those of one term side by side
    std::shared_ptr<const KnownCores> cores;  ///< names are the terms' places
    std::vector<double> paid = {};            ///< by term: how often it is paid for beyond what it demands; empty: not known
};

/// Of a settled problem; cores that are known are those of `node`, which has the same terms. No more work than it takes to
/// show that nothing costs less than `limit`, nor while that does not raise the bound by much.
Bound bound(const Problem& problem, const Relations& relations, const Node& node, const Deadline& deadline, double limit);

}  // namespace sinter::fuse::solve
