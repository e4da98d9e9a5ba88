// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conform/support.hpp"

#include <programs/pathfinder.hpp>
#include <programs/values.hpp>

using namespace programs;
using conform::everywhere;

TEST_CASE("pathfinder: small grids") {
    CHECK(everywhere(cheapest_paths(1, 1)).to_vector() == std::vector<std::int32_t>{2});
    CHECK(everywhere(cheapest_paths(1, 5)).to_vector() == std::vector<std::int32_t>{26});
    CHECK(everywhere(cheapest_paths(7, 4)).to_vector() == std::vector<std::int32_t>{14, 12, 4, 4, 8, 6, 8});
    CHECK(run(take(cheapest_paths(10, 1), 10)).to_vector() == std::vector<std::int32_t>{2, 8, 6, 4, 6, 0, 8, 2, 4, 0});

    const auto sums = everywhere(cheapest_paths(1000, 20));
    CHECK(run(checksum(sums)).item() == 20692182);
    CHECK(run(sum(sums)).item() == 20830);
    CHECK(run(min(sums)).item() == 4);
    CHECK(run(max(sums)).item() == 38);
}

TEST_CASE("pathfinder: the file") {
    const auto in = reference_data("pathfinder/medium.in"), out = reference_data("pathfinder/medium.out");
    if (!in || !out) {
        WARN("skipped: no reference data");
        return;
    }
    Values input(*in), output(*out);
    const auto columns = input.scalar<std::int64_t>(), rows = input.scalar<std::int64_t>();
    const auto expected = output.array<std::int32_t>();
    for (const Fusion fusion : conform::strategies)
        for (const int threads : {1, 2})
            conform::require_same(
                expected,
                run(cheapest_paths(columns, rows), {.target = Target::host(threads), .fusion = fusion}).to_vector());
}
