// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Run with SINTER_MEMORY_LIMIT=64M.
#include "conform/support.hpp"

using namespace sinter;

TEST_CASE("an array beyond the memory limit is a MemoryError that names it", "[.][memory_limit]") {
    const Array<float> x = from(std::vector<float>(std::size_t{1} << 20, 1.f));  // 4 MiB
    using Catch::Contains;
    REQUIRE_THROWS_WITH(run(fill(shape(std::int64_t{1} << 25), 1.f)),
                        Contains("f32[33554432]") && Contains("134217728 bytes") && Contains("SINTER_MEMORY_LIMIT is 64M"));
    REQUIRE_THROWS_AS(from(std::vector<float>(std::size_t{1} << 25)), MemoryError);
    Array<float> y = x;
    for (int k = 0; k < 100; ++k) y = run(y + x);  // 400 MiB one after another
    REQUIRE(y.to_vector()[7] == 101.f);
    for (Target target : conform::targets()) {  // arrays on a card count, too
        std::vector<Array<float>> kept;
        const auto keep = [&] { kept.push_back(run(x + static_cast<float>(kept.size()), {.target = target})); };
        REQUIRE_THROWS_WITH(
            [&] {
                while (kept.size() < 20) keep();
            }(),
            Contains("SINTER_MEMORY_LIMIT is 64M"));
        CHECK(kept.size() >= 10);
        kept.clear();
        keep();
    }
}
