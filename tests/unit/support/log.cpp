// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/log.hpp"

#include "support/origin.hpp"

#include <catch2/catch.hpp>

using namespace sinter;

TEST_CASE("SINTER_LOG is a level, topics, or both") {
    CHECK(parse_log("")->level == LogLevel::none);
    CHECK(parse_log("error")->level == LogLevel::error);
    CHECK(parse_log("warning")->level == LogLevel::warning);
    CHECK(parse_log("info")->level == LogLevel::info);
    CHECK(parse_log("debug")->level == LogLevel::debug);
    CHECK_FALSE(parse_log("debug")->launches);
    CHECK(parse_log("launch")->launches);
    CHECK(parse_log("launch")->level == LogLevel::none);
    for (const char* both : {"launch,info", "info,launch"}) {
        CHECK(parse_log(both)->launches);
        CHECK(parse_log(both)->level == LogLevel::info);
    }
}

TEST_CASE("SINTER_LOG means nothing with other words, two levels, or nothing at a comma") {
    for (const char* text :
         {"all", "Info", "info,debug", "info,info", "launch,launch", "info,", ",info", "info,,launch", ","})
        CHECK_FALSE(parse_log(text).has_value());
}

TEST_CASE("a kernel's name may end with its place") {
    const auto origin = origin_of("map_fold@/home/some one/a:b@c.cpp:12");
    REQUIRE(origin);
    CHECK(origin->operations == "map_fold");
    CHECK(origin->file == "/home/some one/a:b@c.cpp");
    CHECK(origin->line == 12);
    CHECK(origin_of("map@a.cpp:7_noted")->operations == "map_noted");
    CHECK(with_origin("map", location()) == "map");
    const location here = location::current();
    CHECK(origin_of(with_origin("map", here))->line == here.line());
    for (const char* name : {"map_fold", "map@a.cpp", "a:7@map", "map@a.cpp:x"}) CHECK_FALSE(origin_of(name).has_value());
}
