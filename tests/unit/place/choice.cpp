// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The choice of layouts beside an exhaustive search.
#include "place/choice/choice.hpp"
#include "place/choice/min_cut.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace sinter::place;

namespace {

class Dice {
  public:
    explicit Dice(unsigned seed) : random_(seed) {}
    std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }
    bool one_in(std::int64_t n) { return below(n) == 0; }

  private:
    std::mt19937_64 random_;
};

/// A program of launches that read arrays of earlier ones.
Choices random_program(Dice& dice) {
    Choices p;
    auto array = [&] {
        p.given.emplace_back(), p.replicated.push_back(dice.one_in(12));
        return p.arrays++;
    };
    for (std::int64_t k = 1 + dice.below(2); k > 0; --k)
        if (const std::size_t a = array(); dice.one_in(2))
            p.given[a] = dice.below(50);
        else
            p.replicated[a] = true;
    for (std::int64_t k = 1 + dice.below(4); k > 0; --k) {
        ChoiceOfLaunch launch{dice.below(100), {}, {}, {}};
        for (std::int64_t r = dice.below(3); r > 0; --r)
            launch.reads.push_back(static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(p.arrays))));
        for (std::int64_t w = 1 + dice.below(2); w > 0; --w) launch.writes.push_back(array());
        for (std::int64_t ways = dice.below(3); ways > 0; --ways) {
            WayOfLaunch way{dice.below(80), {}, {}};
            for (std::size_t a : launch.reads) way.reads.push_back({a, dice.one_in(5) ? never : dice.below(40)});
            for (std::size_t a : launch.writes) way.writes.push_back({a, !dice.one_in(3), dice.below(60)});
            launch.ways.push_back(way);
        }
        p.launches.push_back(launch);
    }
    for (std::int64_t k = dice.below(2); k > 0; --k)
        p.becomes.push_back(
            {static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(p.arrays))), array(), dice.below(50)});
    p.meeting = dice.below(30);
    return p;
}

/// Of all choices there are.
Price cheapest(const Choices& p) {
    Price best = never;
    Choice choice;
    choice.ways.resize(p.launches.size());
    choice.in_blocks.resize(p.arrays);
    auto ways_of = [&](std::size_t k) { return p.launches[k].ways.size(); };
    for (;;) {
        best = std::min(best, price_of(p, choice));
        std::size_t k = 0;
        for (; k < p.arrays; ++k) {
            choice.in_blocks[k] = !choice.in_blocks[k];
            if (choice.in_blocks[k]) break;
        }
        if (k < p.arrays) continue;
        for (k = 0; k < p.launches.size(); ++k) {
            if (!choice.ways[k] && ways_of(k) > 0) {
                choice.ways[k] = 0;
                break;
            }
            if (choice.ways[k] && *choice.ways[k] + 1 < ways_of(k)) {
                ++*choice.ways[k];
                break;
            }
            choice.ways[k].reset();
        }
        if (k == p.launches.size()) return best;
    }
}

}  // namespace

TEST_CASE("cuts are the cheapest choices of sides", "[place]") {
    Dice dice(3);
    for (int times = 0; times < 300; ++times) {
        struct Pair {
            std::size_t on, off;
            std::int64_t price;
        };
        const auto n = static_cast<std::size_t>(1 + dice.below(9));
        MinCut cut;
        std::vector<std::int64_t> on(n), off(n);
        std::vector<Pair> pairs;
        for (std::size_t k = 0; k < n; ++k) {
            REQUIRE(cut.node() == k);
            cut.pay_on(k, on[k] = dice.below(20)), cut.pay_off(k, off[k] = dice.below(20));
        }
        for (std::int64_t k = dice.below(20); n > 1 && k > 0; --k) {
            const auto a = static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(n)));
            pairs.push_back(
                {a, (a + 1 + static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(n) - 1))) % n, dice.below(15)});
            cut.pay(pairs.back().on, pairs.back().off, pairs.back().price);
        }
        auto price = [&](auto is_on) {
            std::int64_t all = 0;
            for (std::size_t k = 0; k < n; ++k) all += is_on(k) ? on[k] : off[k];
            for (const Pair& p : pairs) all += is_on(p.on) && !is_on(p.off) ? p.price : 0;
            return all;
        };
        std::int64_t best = never;
        for (std::size_t set = 0; set < std::size_t{1} << n; ++set)
            best = std::min(best, price([&](std::size_t k) { return (set >> k & 1) != 0; }));
        const std::vector<bool> found = cut.solve();
        REQUIRE(cut.price() == best);
        REQUIRE(price([&](std::size_t k) { return found[k]; }) == best);
    }
}

TEST_CASE("no choice of layouts is cheaper than the one that is found", "[place]") {
    Dice dice(4);
    int shared = 0, mixed = 0;
    for (int times = 0; times < 2000; ++times) {
        const Choices program = random_program(dice);
        const Choice found = choose(program);
        REQUIRE(found.is_best);
        REQUIRE(found.price == price_of(program, found));
        REQUIRE(found.price == cheapest(program));
        const auto count = std::count_if(found.ways.begin(), found.ways.end(), [](auto way) { return way.has_value(); });
        shared += count > 0;
        mixed += count > 0 && static_cast<std::size_t>(count) < found.ways.size();
    }
    CHECK(shared > 200);
    CHECK(mixed > 100);
}

TEST_CASE("an array that is cheap to make is made whole where all of it is read", "[place]") {
    // A launch makes array 0, and one that is dear reads all of it on every rank.
    Choices program{1,       {{100, {{50, {}, {{0, true, 400}}}}, {}, {0}}, {10000, {{5000, {{0, never}}, {}}}, {0}, {}}},
                    {},      {{}},
                    {false}, 10};
    const Choice cheap = choose(program);
    CHECK(!cheap.ways[0]);
    CHECK(cheap.ways[1] == 0);
    CHECK(cheap.price == 5110);
    program.launches[0].whole = 1000;
    program.launches[0].ways[0].work = 500;
    CHECK(choose(program).ways[0] == 0);
    CHECK(!choose(program).in_blocks[0]);
}

TEST_CASE("launches that are not worth sharing one by one are shared together", "[place]") {
    Choices program;
    program.arrays = 11;
    program.given.resize(11), program.replicated.resize(11);
    program.replicated[0] = true;
    program.meeting = 60;
    for (std::size_t k = 0; k < 10; ++k)
        program.launches.push_back({100, {{50, {{k, 0}}, {{k + 1, true, 1000}}}}, {k}, {k + 1}});
    for (const auto& way : choose(program).ways) CHECK(way == 0);
    program.launches.resize(1);
    CHECK(!choose(program).ways[0]);
}

TEST_CASE("of many ways to share launches, a good combination is found", "[place]") {
    Choices program;
    program.arrays = 1;
    program.given = {never};
    program.replicated = {false};
    for (int k = 0; k < 12; ++k) program.launches.push_back({1000, {{500, {{0, 300}}, {}}, {500, {{0, 10}}, {}}}, {0}, {}});
    const Choice found = choose(program);
    CHECK(!found.is_best);
    for (const auto& way : found.ways) CHECK(way == 1);
    CHECK(found.price == 12 * 510);
}
