// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fuse/solve/graph.hpp"

#include <algorithm>
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
        find(std::span(&start, 1), [&](Vertex v) { return component[v] == component[start]; }, active);
    }

    /// From the nearest of `starts`, through what may be entered.
    template <class Inside, class Active>
    void find(std::span<const Vertex> starts, Inside inside, Active active) {
        for (Vertex v : reached_) distance_[v] = unreached;
        reached_.clear();
        queue_.assign(starts.begin(), starts.end());
        for (Vertex start : starts) enter(start, 0, start);
        while (!queue_.empty()) {
            Vertex v = queue_.front();
            queue_.pop_front();
            for (Vertex to : graph_[v]) {
                bool is_hub = to >= count_;
                std::uint32_t distance = distance_[v] + is_hub;
                if (distance >= distance_[to] || !inside(to)) continue;
                if (is_hub && !active(to - count_)) continue;
                enter(to, distance, v);
                is_hub ? queue_.push_back(to) : queue_.push_front(to);
            }
        }
    }

    /// After the graph has grown or shrunk.
    void resize() {
        distance_.assign(graph_.count(), unreached);
        from_.resize(graph_.count());
        reached_.clear();
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

/// Cheapest paths over arcs, which cost nothing, and hubs (Dijkstra).
class CheapPaths {
  public:
    static constexpr double unreached = 2;

    CheapPaths(std::size_t count, const Adjacency& graph)
        : count_(count), graph_(graph), distance_(graph.count(), unreached), from_(graph.count()) {}

    /// From the nearest of `starts`, inside their component, what is nearer than 1. `price`: of a hub.
    template <class Price>
    void find(std::span<const Vertex> starts, const Labels& component, Price price) {
        for (Vertex v : reached_) distance_[v] = unreached;
        reached_.clear();
        for (Vertex start : starts) enter(start, 0, start);
        while (!heap_.empty()) {
            std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
            auto [distance, v] = heap_.back();
            heap_.pop_back();
            if (distance > distance_[v]) continue;
            for (Vertex to : graph_[v]) {
                if (component[to] != component[starts[0]]) continue;
                const double reached = distance + (to < count_ ? 0 : price(to - count_));
                if (reached < distance_[to] && reached < 1) enter(to, reached, v);
            }
        }
    }

    /// After the graph has grown or shrunk.
    void resize() {
        distance_.assign(graph_.count(), unreached);
        from_.resize(graph_.count());
        reached_.clear();
    }

    double distance(Vertex v) const { return distance_[v]; }
    Vertex from(Vertex v) const { return from_[v]; }

  private:
    void enter(Vertex v, double distance, Vertex from) {
        if (distance_[v] == unreached) reached_.push_back(v);
        distance_[v] = distance;
        from_[v] = from;
        heap_.emplace_back(distance, v);
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    }

    std::size_t count_;
    const Adjacency& graph_;
    std::vector<double> distance_;
    std::vector<Vertex> from_;
    std::vector<Vertex> reached_;
    std::vector<std::pair<double, Vertex>> heap_;
};

}  // namespace sinter::fuse::solve
