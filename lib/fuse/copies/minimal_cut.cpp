// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/copies/minimal_cut.hpp"

#include <algorithm>

namespace sinter::fuse {

void MinimalCut::connect(Node from, Node to, double price) {
    edges_.push_back({to, first_[from], price});
    first_[from] = static_cast<std::uint32_t>(edges_.size() - 1);
    edges_.push_back({from, first_[to], 0});
    first_[to] = static_cast<std::uint32_t>(edges_.size() - 1);
}

bool MinimalCut::find_path() {
    reached_by_.assign(first_.size(), none);
    queue_.assign(1, source);
    for (std::size_t k = 0; k < queue_.size() && reached_by_[sink] == none; ++k)
        for (std::uint32_t e = first_[queue_[k]]; e != none; e = edges_[e].next) {
            const Node to = edges_[e].to;
            if (edges_[e].left <= 0 || to == source || reached_by_[to] != none) continue;
            reached_by_[to] = e;
            queue_.push_back(to);
        }
    return reached_by_[sink] != none;
}

double MinimalCut::price() {
    double total = 0;
    while (total < never && find_path()) {
        double least = never;
        for (Node at = sink; at != source; at = edges_[reached_by_[at] ^ 1].to)
            least = std::min(least, edges_[reached_by_[at]].left);
        for (Node at = sink; at != source; at = edges_[reached_by_[at] ^ 1].to) {
            edges_[reached_by_[at]].left -= least;
            edges_[reached_by_[at] ^ 1].left += least;
        }
        total += least;
    }
    return total;
}

}  // namespace sinter::fuse
