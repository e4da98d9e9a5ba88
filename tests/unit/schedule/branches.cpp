// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/card/branches.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

namespace {

using namespace sinter;
using Launches = std::vector<std::vector<schedule::card::MemoryAccess>>;

schedule::card::MemoryAccess access(std::size_t begin, std::size_t bytes, bool writes) {
    return {reinterpret_cast<const std::byte*>(begin), bytes, writes};
}
schedule::card::MemoryAccess reads(std::size_t array) { return access(4096 * array, 4096, false); }
schedule::card::MemoryAccess writes(std::size_t array) { return access(4096 * array, 4096, true); }

TEST_CASE("a chain of launches is in one stream") {
    const auto b = schedule::card::branches_of({{reads(1), writes(2)}, {reads(2), writes(3)}, {reads(3), writes(4)}}, 4);
    CHECK(b.streams == 1);
    CHECK(b.last.empty());
    for (const schedule::card::Step& step : b.steps) CHECK((step.stream == 0 && step.after.empty() && !step.is_awaited));
}

TEST_CASE("launches that read the same are in streams of their own until one needs both") {
    const auto b =
        schedule::card::branches_of({{reads(1), writes(2)}, {reads(1), writes(3)}, {reads(2), reads(3), writes(4)}}, 4);
    REQUIRE(b.streams == 2);
    CHECK(b.steps[1].stream == 1);
    CHECK(b.steps[2].stream == 1);
    CHECK(b.steps[2].after == std::vector<std::size_t>{0});
    CHECK(b.steps[0].is_awaited);
    CHECK(b.last == std::vector<std::size_t>{2});
    CHECK(b.steps[2].is_awaited);
}

TEST_CASE("memory that is used again orders launches, also where only a part of it is") {
    const auto b = schedule::card::branches_of({{access(0, 100, false), access(1000, 10, true)}, {access(99, 50, true)}}, 4);
    CHECK(b.streams == 1);
    CHECK(schedule::card::branches_of({{access(0, 100, false)}, {access(100, 50, true)}}, 4).streams == 2);
    CHECK(schedule::card::branches_of({{access(0, 100, false)}, {access(0, 100, false)}}, 4).streams == 2);
    CHECK(schedule::card::branches_of({{access(0, 100, true)}, {access(50, 0, true)}}, 4).streams == 2);
}

TEST_CASE("streams and what they wait for order all launches that meet") {
    std::mt19937 random(7);
    auto below = [&](std::size_t n) { return random() % n; };
    for (int round = 0; round < 200; ++round) {
        const std::size_t count = 1 + below(20), most = 1 + below(5);
        Launches launches(count);
        for (auto& launch : launches)
            for (std::size_t k = 1 + below(3); k-- > 0;) launch.push_back(access(below(40), 1 + below(8), below(3) == 0));
        const schedule::card::Branches b = schedule::card::branches_of(launches, most);
        CHECK(b.streams <= most);
        std::vector<std::vector<bool>> before(count, std::vector<bool>(count, false));
        auto add = [&](std::size_t k, std::size_t earlier) {
            REQUIRE(earlier < k);
            before[k][earlier] = true;
            for (std::size_t other = 0; other < earlier; ++other)
                if (before[earlier][other]) before[k][other] = true;
        };
        for (std::size_t k = 0; k < count; ++k) {
            for (std::size_t earlier = 0; earlier < k; ++earlier)
                if (b.steps[earlier].stream == b.steps[k].stream) add(k, earlier);
            for (std::size_t earlier : b.steps[k].after) {
                CHECK(b.steps[earlier].is_awaited);
                add(k, earlier);
            }
            for (std::size_t earlier = 0; earlier < k; ++earlier)
                for (const auto& x : launches[k])
                    for (const auto& y : launches[earlier])
                        if ((x.writes || y.writes) && x.begin < y.begin + y.bytes && y.begin < x.begin + x.bytes)
                            CHECK(before[k][earlier]);
        }
        for (std::size_t k = 0; k < count; ++k) {
            const bool is_first = b.steps[k].stream == 0;
            const auto after = [&](std::size_t end) { return end == k || before[end][k]; };
            bool joined = std::any_of(b.last.begin(), b.last.end(), after);
            for (std::size_t other = 0; other < count; ++other)
                joined = joined || (b.steps[other].stream == 0 && before[other][k]);
            CHECK((is_first || joined));
        }
    }
}

}  // namespace
