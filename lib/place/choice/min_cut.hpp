// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The cheapest choice between two sides for each of some nodes, where nodes pay for a side, and pairs of nodes for being on
/// different ones: a minimum cut, found by Dinic's maximum flow ("Algorithm for solution of a problem of maximum flow in
/// networks with power estimation", 1970). That such choices are cuts is from Picard and Ratliff, "Minimum cuts and related
/// problems", 1975; with choices that need others, it is the selection of projects of Picard, "Maximal closure of a graph
/// and applications to combinatorial problems", 1976, and Picard and Queyranne, "Selected applications of minimum cuts in
/// networks", 1982.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinter::place {

class MinCut {
  public:
    /// On one of the two sides: off or on.
    std::size_t node();
    /// What is paid if the node is on (or off). Prices are not negative.
    void pay_on(std::size_t node, std::int64_t price);
    void pay_off(std::size_t node, std::int64_t price);
    /// What is paid if `on` is on, and `off` is off.
    void pay(std::size_t on, std::size_t off, std::int64_t price);

    /// By node: true for on. Of several choices of the same price, the one with the fewest that are on.
    std::vector<bool> solve();
    /// What it costs; after solve().
    std::int64_t price() const { return flow_; }

  private:
    /// An arc and the one back are neighbours: 2k and 2k + 1.
    struct Arc {
        std::size_t to;
        std::int64_t room;
    };
    static constexpr std::size_t source = 0, sink = 1;

    void arc(std::size_t from, std::size_t to, std::int64_t room);
    bool find_levels();
    std::int64_t augment(std::size_t from, std::int64_t most);

    std::vector<Arc> arcs_;
    std::vector<std::vector<std::size_t>> leaving_ = std::vector<std::vector<std::size_t>>(2);  ///< arcs, by node
    std::vector<int> levels_;
    std::vector<std::size_t> next_;  ///< by node: the first arc that may lead on
    std::int64_t flow_ = 0;
};

}  // namespace sinter::place
