// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/index/collapse.hpp"

#include <catch2/catch.hpp>

using sinter::lower::Run;
using sinter::lower::runs;

TEST_CASE("runs are as long as kinds and cuts allow") {
    CHECK(runs(0, {}, {}).empty());
    CHECK(runs(3, {}, {}) == std::vector<Run>{{0, 3, false}});
    CHECK(runs(3, {0, 1, 2}, {}) == std::vector<Run>{{0, 3, true}});
    CHECK(runs(4, {1, 2}, {}) == std::vector<Run>{{0, 1, false}, {1, 2, true}, {3, 1, false}});
    CHECK(runs(3, {}, {2}) == std::vector<Run>{{0, 2, false}, {2, 1, false}});
    CHECK(runs(3, {}, {0, 1, 2}).size() == 3);
}
