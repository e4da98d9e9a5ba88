// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The cheapest way to divide a graph between a source and a sink.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinter::fuse {

class MinimalCut {
  public:
    using Node = std::uint32_t;
    static constexpr Node source = 0, sink = 1;
    static constexpr double never = 1e30;  ///< the price of an edge that is not to be cut

    Node add() {
        first_.push_back(none);
        return static_cast<Node>(first_.size() - 1);
    }
    /// Costs `price` where `from` is on the source's side and `to` on the sink's.
    void connect(Node from, Node to, double price);
    /// At least `never`: there is no cut without such edges. By shortest augmenting paths (Edmonds and Karp 1972); the graph
    /// is used up.
    double price();

  private:
    static constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);
    struct Edge {
        Node to;
        std::uint32_t next;
        double left;
    };
    bool find_path();

    std::vector<Edge> edges_;  ///< each beside its reverse
    std::vector<std::uint32_t> first_ = {none, none}, reached_by_;
    std::vector<Node> queue_;
};

}  // namespace sinter::fuse
