// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuse/solve/bound/clique.hpp"

#include <algorithm>

namespace sinter::fuse::solve {

std::vector<Vertex> clique(const Relations& r, std::vector<Vertex> vertices) {
    std::vector<std::uint64_t> all(r.apart.words(), 0);
    for (Vertex v : vertices) put(all, v);
    std::vector<std::size_t> degree(r.order.size(), 0);
    for (Vertex v : vertices)
        for (std::size_t w = 0; w < all.size(); ++w)
            degree[v] += static_cast<std::size_t>(__builtin_popcountll(r.apart[v][w] & all[w]));
    std::stable_sort(vertices.begin(), vertices.end(), [&](Vertex a, Vertex b) { return degree[a] > degree[b]; });
    std::vector<Vertex> chosen;
    for (Vertex v : vertices)
        if (std::all_of(chosen.begin(), chosen.end(), [&](Vertex c) { return holds(r.apart[v], c); })) chosen.push_back(v);
    return chosen;
}

namespace {

/// The longest chain along the arcs in which neighbours are apart: then all its members are, because separations are closed.
std::size_t longest_chain(const Relations& r) {
    std::vector<std::size_t> length(r.order.size(), 1);
    std::size_t longest = 1;
    for (Vertex v : r.order) {
        for_each(r.above[v],
                 [&](std::size_t u) { length[v] = std::max(length[v], length[u] + (holds(r.apart[v], u) ? 1 : 0)); });
        longest = std::max(longest, length[v]);
    }
    return longest;
}

}  // namespace

std::size_t least_clusters(const Relations& r) { return std::max(longest_chain(r), clique(r, r.order).size()); }

}  // namespace sinter::fuse::solve
