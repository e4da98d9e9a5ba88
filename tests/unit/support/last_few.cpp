// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/cache/last_few.hpp"

#include <catch2/catch.hpp>

#include <string>

using sinter::LastFew;

TEST_CASE("the last few entries are kept") {
    LastFew<int, std::string> known(2);
    CHECK(known.find(1) == nullptr);
    known.keep(1, std::make_shared<const std::string>("one"));
    known.keep(2, std::make_shared<const std::string>("two"));
    const auto one = known.find(1);
    REQUIRE(one);
    CHECK(*one == "one");
    known.keep(3, std::make_shared<const std::string>("three"));
    CHECK(known.find(1) == nullptr);
    CHECK(*one == "one");  // dropped, not destroyed
    CHECK(*known.find(2) == "two");
    CHECK(*known.find(3) == "three");
}

TEST_CASE("of two entries with the same key, the newer one is found") {
    LastFew<int, std::string> known(4);
    known.keep(1, std::make_shared<const std::string>("old"));
    known.keep(1, std::make_shared<const std::string>("new"));
    CHECK(*known.find(1) == "new");
}
