// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The share of each cluster in the cost of a clustering.
#pragma once

#include "fuse/solve/problem/problem.hpp"

namespace sinter::fuse::solve {

class Shares {
  public:
    /// Keeps a reference.
    explicit Shares(const Problem& problem);

    /// The share without the launch. The sum over all clusters of a clustering is its cost without launches and without the
    /// constant of the problem. Linear in the terms of `cluster`.
    double of(std::span<const Vertex> cluster);

  private:
    bool is_member(Vertex v) const { return member_[v] == question_; }
    double of(const Term& term) const;
    double of(const ReadOrders& orders);

    const Problem& p_;
    std::vector<std::vector<std::uint32_t>> terms_;   ///< by vertex
    std::vector<std::vector<std::uint32_t>> orders_;  ///< by reader
    std::uint32_t question_ = 0;
    std::vector<std::uint32_t> member_, seen_term_, seen_orders_;  ///< the last question that each was part of
    std::vector<std::uint32_t> found_;
};

}  // namespace sinter::fuse::solve
