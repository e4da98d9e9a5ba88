// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "place/choice/cheapest_sets.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

using namespace sinter::place;

TEST_CASE("all sets of things are listed once, cheapest first", "[place]") {
    std::mt19937_64 random(5);
    for (std::size_t count = 0; count <= 10; ++count) {
        std::vector<Price> prices(count);
        for (Price& price : prices) price = static_cast<Price>(random() % 7);
        CheapestSets sets(prices);
        std::set<std::vector<std::size_t>> seen;
        Price before = 0;
        while (const auto found = sets.next()) {
            std::vector<std::size_t> members = found->members;
            const Price sum = std::accumulate(members.begin(), members.end(), Price{0},
                                              [&](Price price, std::size_t member) { return price + prices[member]; });
            REQUIRE(found->price == sum);
            REQUIRE(sum >= before);
            before = sum;
            std::sort(members.begin(), members.end());
            REQUIRE(std::adjacent_find(members.begin(), members.end()) == members.end());
            REQUIRE(seen.insert(members).second);
        }
        CHECK(seen.size() == (std::size_t{1} << count) - 1);
    }
}
