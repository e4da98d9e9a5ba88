// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fuse/solve/problem/graph.hpp"

#include <utility>

namespace sinter::fuse::solve {

/// Shortest paths, measured in hubs passed, over arcs and active hubs. The graph's vertices come first, then its hubs.
class Paths {
  public:
    static constexpr auto unreached = static_cast<std::uint32_t>(-1);

    Paths(std::size_t count, const Adjacency& graph)
        : count_(count), graph_(graph), distance_(graph.count(), unreached), from_(graph.count()) {}

    /// Begins a search that advances step by step: only `starts` are reached.
    void begin(std::span<const Vertex> starts) {
        for (Vertex v : reached_) distance_[v] = unreached;
        reached_.clear();
        seen_ = 0, level_ = 0;
        now_.assign(starts.begin(), starts.end());
        for (Vertex start : starts) enter(start, 0, start);
    }

    /// Reaches everything that is as many hubs away as there were steps before. Returns false if there is nothing further
    /// away.
    template <class Active>
    bool step(Active active) {
        next_.clear();
        while (!now_.empty()) {
            const Vertex v = now_.back();
            now_.pop_back();
            for (Vertex to : graph_[v]) {
                const bool is_hub = to >= count_;
                if (distance_[to] != unreached || (is_hub && !active(to - count_))) continue;
                enter(to, level_ + is_hub, v);
                (is_hub ? next_ : now_).push_back(to);
            }
        }
        now_.swap(next_);
        ++level_;
        return !now_.empty();
    }

    /// The vertices and hubs reached since the last call.
    std::span<const Vertex> fresh() {
        const std::size_t first = std::exchange(seen_, reached_.size());
        return std::span(reached_).subspan(first);
    }

    /// Call this after the graph has grown or shrunk.
    void resize() {
        distance_.assign(graph_.count(), unreached);
        from_.resize(graph_.count());
        reached_.clear();
    }

    std::uint32_t distance(Vertex v) const { return distance_[v]; }
    Vertex from(Vertex v) const { return from_[v]; }

  private:
    void enter(Vertex v, std::uint32_t distance, Vertex from) {
        reached_.push_back(v);
        distance_[v] = distance;
        from_[v] = from;
    }

    std::size_t count_;
    const Adjacency& graph_;
    std::vector<std::uint32_t> distance_;
    std::vector<Vertex> from_;
    std::vector<Vertex> reached_;
    std::size_t seen_ = 0;            ///< number of those reached
    std::uint32_t level_ = 0;         ///< hubs passed on the way to what is in now_
    std::vector<Vertex> now_, next_;  ///< to be looked at in this step, and in the next one
};

}  // namespace sinter::fuse::solve
