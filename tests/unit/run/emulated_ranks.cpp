// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/job/emulated.hpp"

#include <catch2/catch.hpp>

using sinter::runtime::parse_emulation;

TEST_CASE("SINTER_RANKS=emulated names ranks, narrow messages and delays", "[ranks]") {
    CHECK(parse_emulation("emulated:4")->count == 4);
    CHECK_FALSE(parse_emulation("emulated:4")->narrow);
    CHECK_FALSE(parse_emulation("emulated:4")->delay);
    CHECK(parse_emulation("emulated:2,int16")->narrow);
    CHECK(parse_emulation("emulated:2,delay=7,int16")->delay == 7);
    CHECK(parse_emulation("emulated:2,delay=7,int16")->narrow);
    for (const char* wrong : {"", "off", "emulated", "emulated:", "emulated:0", "emulated:65", "emulated:-1", "emulated:2x",
                              "emulated:2,int", "emulated:2,delay", "emulated:2,delay=", "emulated:2,delay=x"})
        CHECK_FALSE(parse_emulation(wrong));
}
