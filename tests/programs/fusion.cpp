// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The clusters of the large programs are proven to be the best, within the deadline of the search.
#include "support.hpp"

#include <programs/flash_attention.hpp>
#include <programs/lulesh.hpp>
#include <programs/multigrid.hpp>
#include <programs/radix_sort.hpp>

#include <cstdio>
#include <sstream>

using namespace programs;

namespace {

template <class E>
void require_proven(const char* name, const E& expression) {
    CAPTURE(name);
    const Explanation best = explain(expression, {.fusion = Fusion::optimal});
    const Explanation t2 = explain(expression, {.fusion = Fusion::t2});
    CHECK(best.gap() == 0);
    CHECK(best.bytes_moved() <= t2.bytes_moved());
    if (std::getenv("SINTER_TEST_VERBOSE"))
        std::printf("%-16s %6.2f ms, %3zu clusters, %3zu by t2, bytes %.4f of t2's\n", name, 1e3 * best.solve_time(),
                    best.clusters().size(), t2.clusters().size(),
                    static_cast<double>(best.bytes_moved()) / static_cast<double>(t2.bytes_moved()));
}

/// Prefixes along columns and along rows, which are not one cluster, of two matrices and their sum: that is computed again.
auto prefixes_of_sum(int seed) {
    const auto x = attention_input(seed, 40, 40), y = attention_input(seed + 1, 40, 40);
    const auto both = [](const auto& a) {
        return std::tuple(inclusive_scan(std::plus<>{}, a, axis(0)), inclusive_scan(std::plus<>{}, a, axis(1)));
    };
    return std::tuple_cat(both(x + y), both(x), both(y));
}

}  // namespace

#ifndef __SANITIZE_ADDRESS__  // which is too slow for the time that searches have
TEST_CASE("fusion: explain says what was not tried") {
    const std::string few = explain(std::tuple_cat(prefixes_of_sum(1), prefixes_of_sum(3))).text();
    CHECK(few.find("Computed again where it is read") != std::string::npos);
    CHECK(few.find("Not all combinations were tried") == std::string::npos);
    const std::string many = explain(std::tuple_cat(prefixes_of_sum(1), prefixes_of_sum(3), prefixes_of_sum(5),
                                                    prefixes_of_sum(7), prefixes_of_sum(9), prefixes_of_sum(11)))
                                 .text();
    CHECK(many.find("Computed again where it is read") != std::string::npos);
    CHECK(many.find("Not all combinations were tried") != std::string::npos);
    const auto q = attention_input(81, 64, 16), k = attention_input(82, 64, 16), v = attention_input(83, 64, 16);
    CHECK(explain(attention<float>(64, 16, q, k, v)).text().find("Not all combinations") == std::string::npos);
}
#endif

TEST_CASE("fusion: explain tells bodies apart, and each reason once") {
    const auto o = lulesh::simulate(lulesh::grid(10), 10);
    const std::string text = explain(std::tuple(o.t, o.dt, o.e, o.p, o.q, o.v)).text();
    const std::size_t extents = text.find("Extents: ");  // before them, several ranks say how they share bodies
    const std::size_t clusters = text.find("\nCluster 1: "), body = text.find("\nBody of %", extents),
                      program = text.find("\nProgram before optimisation");
    CHECK(text.find("clusters, ") < clusters);
    CHECK(extents < clusters);
    CHECK(clusters < body);
    REQUIRE(body < program);
    REQUIRE(program != std::string::npos);
    std::istringstream lines(text.substr(0, program));
    std::string previous;
    for (std::string line; std::getline(lines, line); previous = line)
        if (line.find(" -> ") != std::string::npos) CHECK(line != previous);
}

TEST_CASE("fusion: large programs are proven optimal") {
    const auto o = lulesh::simulate(lulesh::grid(10), 10);
    require_proven("LULESH", std::tuple(o.t, o.dt, o.e, o.p, o.q, o.v));
    const auto q = attention_input(81, 512, 64), k = attention_input(82, 512, 64), v = attention_input(83, 512, 64);
    require_proven("FlashAttention", flash_attention(tiling(512, 64, 16384), q, k, v));
    require_proven("attention", attention<float>(512, 64, q, k, v));
    const auto right = right_hand_side(32);
    require_proven("multigrid", solution({32, 4, smoother_a}, right));
    const auto keys = from(std::vector<std::uint32_t>{5, 7, 3, 1, 4, 2, 7, 2});
    require_proven("radix sort", radix_sort<1, std::uint32_t>(keys));
    require_proven("radix sort, 4", radix_sort<4, std::uint32_t>(keys));
}
