// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "place/choice/min_cut.hpp"

#include <algorithm>
#include <limits>

namespace sinter::place {

// Nodes on the source's side are on. The arcs of the cut are those that lead from it to the other.

std::size_t MinCut::node() {
    leaving_.emplace_back();
    return leaving_.size() - 3;
}

void MinCut::pay_on(std::size_t node, std::int64_t price) { arc(node + 2, sink, price); }
void MinCut::pay_off(std::size_t node, std::int64_t price) { arc(source, node + 2, price); }
void MinCut::pay(std::size_t on, std::size_t off, std::int64_t price) { arc(on + 2, off + 2, price); }

void MinCut::arc(std::size_t from, std::size_t to, std::int64_t room) {
    if (room == 0) return;
    leaving_[from].push_back(arcs_.size());
    arcs_.push_back({to, room});
    leaving_[to].push_back(arcs_.size());
    arcs_.push_back({from, 0});
}

/// Breadth first, by arcs that have room. False if the sink cannot be reached.
bool MinCut::find_levels() {
    levels_.assign(leaving_.size(), -1);
    levels_[source] = 0;
    std::vector<std::size_t> queue{source};
    for (std::size_t k = 0; k < queue.size(); ++k)
        for (std::size_t a : leaving_[queue[k]]) {
            const Arc& arc = arcs_[a];
            if (arc.room == 0 || levels_[arc.to] >= 0) continue;
            levels_[arc.to] = levels_[queue[k]] + 1;
            queue.push_back(arc.to);
        }
    return levels_[sink] >= 0;
}

/// Sends as much as it can, up to `most`, to the sink; returns how much that is.
std::int64_t MinCut::augment(std::size_t from, std::int64_t most) {
    if (from == sink) return most;
    std::int64_t sent = 0;
    for (std::size_t& k = next_[from]; k < leaving_[from].size(); ++k) {
        const std::size_t a = leaving_[from][k];
        if (arcs_[a].room == 0 || levels_[arcs_[a].to] != levels_[from] + 1) continue;
        const std::int64_t more = augment(arcs_[a].to, std::min(most - sent, arcs_[a].room));
        arcs_[a].room -= more, arcs_[a ^ 1].room += more, sent += more;
        if (sent == most) return sent;
    }
    return sent;
}

std::vector<bool> MinCut::solve() {
    while (find_levels()) {
        next_.assign(leaving_.size(), 0);
        flow_ += augment(source, std::numeric_limits<std::int64_t>::max());
    }
    std::vector<bool> on;
    for (std::size_t k = 2; k < leaving_.size(); ++k) on.push_back(levels_[k] >= 0);
    return on;
}

}  // namespace sinter::place
