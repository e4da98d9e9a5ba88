// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading at computed positions: every type of index, and bad ones wherever they stand.
#include "conform/support.hpp"

#include <limits>
#include <random>

using namespace sinter;
using namespace conform;

namespace {

/// Some values of I that are not in [0, extent), those first whose low words are.
template <class I>
std::vector<I> outside(std::int64_t extent) {
    std::vector<I> values;
    constexpr std::int64_t word = std::int64_t{1} << 32;
    for (std::int64_t v : {word, word + 1, -word, std::int64_t{1} << 46, extent, std::int64_t{-1}, word / 2, word - 1,
                           std::int64_t{std::numeric_limits<std::int32_t>::min()}}) {
        const auto narrow = static_cast<I>(v);
        if (static_cast<std::int64_t>(narrow) == v && (v < 0 || v >= extent)) values.push_back(narrow);
    }
    return values;
}

template <class I>
std::vector<I> inside(std::int64_t n, std::int64_t extent) {
    std::mt19937 random(7);
    std::vector<I> indices(static_cast<std::size_t>(n));
    for (I& i : indices) i = static_cast<I>(random() % static_cast<std::uint64_t>(extent));
    return indices;
}

}  // namespace

TEMPLATE_TEST_CASE("gathers by every type of index", "[gather]", std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                   std::int32_t, std::uint32_t, std::int64_t) {
    for (auto n : edge_sizes) {
        CAPTURE(n);
        const auto indices = inside<TestType>(n, 100);
        const auto table = numbers<float>(100);
        std::vector<float> expected;
        for (TestType i : indices) expected.push_back(table[static_cast<std::size_t>(i)]);
        require_same(expected, everywhere(gather(from(indices), from(table))).to_vector());
        everywhere(gather(from(indices), from(numbers<std::uint8_t>(100))));
        everywhere(gather(map([](auto i) { return cast<std::int64_t>(i) / 2; }, from(indices)), from(numbers<double>(100))));
    }
}

TEMPLATE_TEST_CASE("the first bad index is reported", "[gather]", std::int8_t, std::uint16_t, std::int32_t, std::uint32_t,
                   std::int64_t) {
    constexpr std::int64_t extent = 50;
    const auto table = from(numbers<float>(extent));
    for (std::int64_t n : {1, 15, 16, 100})
        for (std::int64_t at : {std::int64_t{0}, n / 2, n - 1})
            for (TestType bad : outside<TestType>(extent)) {
                auto indices = inside<TestType>(n, extent);
                indices[static_cast<std::size_t>(at)] = bad;
                CAPTURE(n, at, static_cast<std::int64_t>(bad));
                for (const Target& target : {Target::interpreter(), Target::host(1), Target::host(2)}) {
                    REQUIRE_THROWS_WITH(run(gather(from(indices), table), {.target = target}),
                                        Catch::Contains(std::to_string(bad)) && Catch::Contains("extent 50"));
                }
            }
}

TEST_CASE("gathers along two axes", "[gather]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        const auto rows = inside<std::int32_t>(n, 30), columns = inside<std::int32_t>(n, 20);
        Array<float, 2> table = from(numbers<float>(600), shape(30, 20));
        everywhere(map([&](auto i, auto j) { return table(i, j); }, from(rows), from(columns)));
        if (n == 0) continue;
        auto wrong = columns;
        wrong.back() = 20;  // inside of the array's memory, but for the last row
        for (const Target& target : {Target::interpreter(), Target::host(1), Target::host(2)})
            REQUIRE_THROWS_AS(
                run(map([&](auto i, auto j) { return table(i, j); }, from(rows), from(wrong)), {.target = target}),
                IndexError);
    }
}
