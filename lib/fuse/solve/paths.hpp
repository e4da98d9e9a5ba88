// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fuse/solve/graph.hpp"

#include <deque>

namespace sinter::fuse::solve {

/// Shortest paths, in hubs passed, over arcs and active hubs. The graph's vertices come first, then its hubs.
class Paths {
  public:
    static constexpr auto unreached = static_cast<std::uint32_t>(-1);

    Paths(std::size_t count, const Adjacency& graph)
        : count_(count), graph_(graph), distance_(graph.count(), unreached), from_(graph.count()) {}

    /// From `start`, inside its component.
    template <class Active>
    void find(Vertex start, const Labels& component, Active active) {
        for (Vertex v : reached_) distance_[v] = unreached;
        reached_.clear();
        queue_.assign(1, start);
        enter(start, 0, start);
        while (!queue_.empty()) {
            Vertex v = queue_.front();
            queue_.pop_front();
            for (Vertex to : graph_[v]) {
                bool is_hub = to >= count_;
                std::uint32_t distance = distance_[v] + is_hub;
                if (component[to] != component[start] || distance >= distance_[to]) continue;
                if (is_hub && !active(to - count_)) continue;
                enter(to, distance, v);
                is_hub ? queue_.push_back(to) : queue_.push_front(to);
            }
        }
    }

    std::uint32_t distance(Vertex v) const { return distance_[v]; }
    Vertex from(Vertex v) const { return from_[v]; }

  private:
    void enter(Vertex v, std::uint32_t distance, Vertex from) {
        if (distance_[v] == unreached) reached_.push_back(v);
        distance_[v] = distance;
        from_[v] = from;
    }

    std::size_t count_;
    const Adjacency& graph_;
    std::vector<std::uint32_t> distance_;
    std::vector<Vertex> from_;
    std::vector<Vertex> reached_;
    std::deque<Vertex> queue_;
};

}  // namespace sinter::fuse::solve
