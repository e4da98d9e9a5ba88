// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/solve/problem/graph.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

Adjacency::Adjacency(std::size_t count, std::span<const Pair> arcs) : first_(count + 1, 0), to_(arcs.size()) {
    for (auto [from, to] : arcs) ++first_[from + 1];
    for (std::size_t v = 0; v < count; ++v) first_[v + 1] += first_[v];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (auto [from, to] : arcs) to_[next[from]++] = to;
}

namespace {

constexpr std::uint32_t unseen = 0;

class Tarjan {
  public:
    explicit Tarjan(const Adjacency& graph) : graph_(graph), number_(graph.count(), unseen), low_(graph.count()) {
        result_.of.assign(graph.count(), 0);
        closed_.assign(graph.count(), false);
    }

    Components run() {
        for (Vertex v = 0; v < graph_.count(); ++v)
            if (number_[v] == unseen) visit(v);
        return std::move(result_);
    }

  private:
    struct Frame {
        Vertex vertex;
        std::uint32_t next;
    };

    void enter(Vertex v) {
        number_[v] = low_[v] = ++last_;
        open_.push_back(v);
        frames_.push_back({v, 0});
    }

    void visit(Vertex root) {
        enter(root);
        while (!frames_.empty()) {
            Frame& frame = frames_.back();
            Vertex v = frame.vertex;
            if (frame.next < graph_[v].size()) {
                Vertex to = graph_[v][frame.next++];
                if (number_[to] == unseen)
                    enter(to);
                else if (!closed_[to])
                    low_[v] = std::min(low_[v], number_[to]);
                continue;
            }
            frames_.pop_back();
            if (!frames_.empty()) low_[frames_.back().vertex] = std::min(low_[frames_.back().vertex], low_[v]);
            if (low_[v] == number_[v]) close(v);
        }
    }

    void close(Vertex root) {
        for (Vertex v = root + 1; v != root;) {
            v = open_.back();
            open_.pop_back();
            closed_[v] = true;
            result_.of[v] = static_cast<Vertex>(result_.count);
        }
        ++result_.count;
    }

    const Adjacency& graph_;
    std::vector<std::uint32_t> number_, low_;
    std::vector<bool> closed_;
    std::vector<Vertex> open_;
    std::vector<Frame> frames_;
    std::uint32_t last_ = unseen;
    Components result_;
};

}  // namespace

void join(std::vector<Pair>& arcs, std::span<const Vertex> members, Vertex hub) {
    for (Vertex v : members) {
        arcs.emplace_back(v, hub);
        arcs.emplace_back(hub, v);
    }
}

Labels component_labels(const Adjacency& graph, std::size_t count) {
    Labels labels = strong_components(graph).of;
    Labels first(graph.count(), static_cast<Vertex>(count));
    labels.resize(count);
    for (Vertex v = 0; v < count; ++v) {
        Vertex& name = first[labels[v]];
        if (name == count) name = v;
        labels[v] = name;
    }
    return labels;
}

Components strong_components(const Adjacency& graph) { return Tarjan(graph).run(); }

}  // namespace sinter::fuse::solve
