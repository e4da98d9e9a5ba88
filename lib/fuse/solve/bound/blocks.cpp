// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/solve/bound/blocks.hpp"

#include "fuse/solve/problem/graph.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

namespace {

Adjacency both_ways(std::size_t points, std::span<const Pair> lines) {
    std::vector<Pair> arcs(lines.begin(), lines.end());
    for (auto [a, b] : lines) arcs.emplace_back(b, a);
    return Adjacency(points, arcs);
}

class BlockFinder {
  public:
    BlockFinder(std::size_t points, std::span<const Pair> lines)
        : next_(both_ways(points, lines)), number_(points, unseen), low_(points) {}

    Blocks run() {
        for (Vertex v = 0; v < number_.size(); ++v) {
            if (number_[v] != unseen) continue;
            ++result_.pieces;
            visit(v);
        }
        return std::move(result_);
    }

  private:
    static constexpr std::uint32_t unseen = 0;
    struct Frame {
        Vertex point, from;
        std::uint32_t next;
        std::size_t open;  ///< number of lines that were open before the one that led here
    };

    void enter(Vertex point, Vertex from, std::size_t open) {
        number_[point] = low_[point] = ++last_;
        frames_.push_back({point, from, 0, open});
    }

    void visit(Vertex root) {
        enter(root, root, 0);
        while (!frames_.empty()) {
            Frame& frame = frames_.back();
            if (frame.next < next_[frame.point].size())
                follow(frame, next_[frame.point][frame.next++]);
            else
                leave();
        }
    }

    void follow(const Frame& frame, Vertex to) {
        const Vertex point = frame.point;
        if (to == frame.from || number_[to] > number_[point]) return;
        const std::size_t open = open_.size();
        open_.push_back(std::minmax(point, to));
        if (number_[to] == unseen)
            enter(to, point, open);
        else
            low_[point] = std::min(low_[point], number_[to]);
    }

    /// The lines after a point form a block if nothing leads from there back to before the point.
    void leave() {
        const Frame done = frames_.back();
        frames_.pop_back();
        if (frames_.empty()) return;
        low_[done.from] = std::min(low_[done.from], low_[done.point]);
        if (low_[done.point] < number_[done.from]) return;
        const auto first = open_.begin() + static_cast<std::ptrdiff_t>(done.open);
        result_.lines.emplace_back(first, open_.end());
        open_.erase(first, open_.end());
    }

    Adjacency next_;
    std::vector<std::uint32_t> number_, low_;  ///< by point
    std::uint32_t last_ = unseen;
    std::vector<Frame> frames_;
    std::vector<Pair> open_;  ///< lines that do not belong to a block yet
    Blocks result_;
};

}  // namespace

Blocks blocks(std::size_t points, std::span<const Pair> lines) { return BlockFinder(points, lines).run(); }

}  // namespace sinter::fuse::solve
