// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every point with every element of a row that all points share: lanes on the points, the row in chunks where points are
// few.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

/// Points around the lanes and tasks, rows around the chunks.
const std::vector<std::pair<std::int64_t, std::int64_t>> extents = {
    {0, 5}, {5, 0}, {1, 1000}, {7, 9}, {8, 64}, {17, 127}, {64, 20000}, {65, 4097}, {130, 3001}, {1000, 257}, {5000, 33}};

}  // namespace

TEMPLATE_TEST_CASE("sums over all pairs", "[fold][pairs]", std::int8_t, std::uint16_t, std::int32_t, std::int64_t, float,
                   double) {
    using T = TestType;
    for (auto [points, elements] : extents) {
        CAPTURE(points, elements);
        Array<T> x = from(numbers<T>(points)), y = from(numbers<T>(elements, 3));
        everywhere(vmap([&](Exp<T> a) { return fold(std::plus<>{}, T(1), map([=](auto b) { return max(a, b); }, y)); }, x));
    }
}

TEST_CASE("all pairs: an operator that is not commutative, several sums", "[fold][pairs]") {
    using Map = std::tuple<std::int32_t, std::int32_t>;
    for (auto [points, elements] : extents) {
        CAPTURE(points, elements);
        Array<std::int32_t> x = from(numbers<std::int32_t>(points)), y = from(numbers<std::int32_t>(elements, 3));
        auto composed = vmap(
            [&](Exp<std::int32_t> a) {
                return fold(composition, Map{1, 0}, map([=](auto b) { return std::tuple(b * 2 + 1, a - b); }, y));
            },
            x);
        everywhere(map([](auto f) { return get<0>(f) + get<1>(f) * 3; }, composed));
    }
}
