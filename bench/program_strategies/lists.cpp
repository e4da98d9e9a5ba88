// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <programs/breadth_first.hpp>
#include <programs/histogram.hpp>
#include <programs/max_segment_sum.hpp>
#include <programs/radix_sort.hpp>
#include <programs/shortest_paths.hpp>

namespace bench {
namespace {

using namespace programs;

template <class Search>
Planner searched(Search search) {
    const Graph g = random_graph(60'000, 6);
    return planner(search(g, origins(g)));
}

}  // namespace

std::vector<Program> lists() {
    return {
        {"breadth first, by filter",
         [] { return searched([](const auto& g, const auto& from) { return breadth_first(g, from, 0); }); }},
        {"breadth first, by mask",
         [] { return searched([](const auto& g, const auto& from) { return breadth_first_by_mask(g, from, 0); }); }},
        {"breadth first, by frontier",
         [] { return searched([](const auto& g, const auto&) { return breadth_first_by_frontier(g, 0); }); }},
        {"histogram, even", [] { return planner(count_bins(256, bytes(1 << 21))); }},
        {"histogram, skewed", [] { return planner(count_bins(256, skewed(1 << 21))); }},
        {"histogram, many bins", [] { return planner(count_bins(1 << 20, many(1 << 21))); }},
        {"histogram, some outside", [] { return planner(count_bins(256, outside(1 << 21))); }},
        {"histogram, sums and extremes",
         [] { return planner(std::tuple(sums_of_bins(1 << 21), extremes_of_bins(1 << 21))); }},
        {"maximum segment sum", [] { return planner(maximum_segment_sum(segment_input(1 << 24))); }},
        {"maximum segment sums", [] { return planner(maximum_segment_sums(segment_input(1 << 22))); }},
        {"maximum segment", [] { return planner(maximum_segment(segment_input(1 << 22))); }},
        {"radix sort, 1 bit", [] { return planner(radix_sort<1, std::uint32_t>(sort_input(1 << 17))); }},
        {"radix sort, 2 bits", [] { return planner(radix_sort<2, std::uint32_t>(sort_input(1 << 17))); }},
        {"radix sort, 4 bits", [] { return planner(radix_sort<4, std::uint32_t>(sort_input(1 << 17))); }},
        {"shortest paths", [] { return planner(shortest_paths<std::int32_t>(sparse_graph(320), rounds_for(320))); }},
        {"shortest paths, until stable",
         [] { return planner(shortest_paths_until_stable<std::int32_t>(sparse_graph(320))); }},
        {"shortest paths, Floyd-Warshall", [] { return planner(floyd_warshall<std::int32_t>(sparse_graph(400), 400)); }},
        {"shortest paths, one product, nested",
         [] { return planner(min_plus_product_nested<std::int32_t>(sparse_graph(512), sparse_graph(512))); }},
    };
}

}  // namespace bench
