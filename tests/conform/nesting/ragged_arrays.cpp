// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices and cubes of different extents.
#include "conform/support.hpp"

#include <sinter/ragged.hpp>

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;
using X = Delayed<Long>;
using M = Delayed<Long, 2>;

/// Each array as its extents and its elements, the same on every target and with every strategy.
template <int Rank>
std::vector<std::pair<std::vector<Long>, std::vector<Long>>> all_of(const Ragged<Long, Rank>& arrays) {
    typename Ragged<Long, Rank>::Extents extents;
    for (std::size_t k = 0; k < extents.size(); ++k) extents[k] = everywhere(arrays.extents()[k]);
    std::vector<std::pair<std::vector<Long>, std::vector<Long>>> made;
    for (const auto& each : Ragged<Long, Rank>(everywhere(arrays.values()), extents).to_arrays()) {
        const auto extents_of_one = each.shape();
        made.push_back({std::vector<Long>(extents_of_one.begin(), extents_of_one.end()), each.to_vector()});
    }
    return made;
}

const std::vector<Long> heights = {2, 0, 3, 1, 4}, widths = {3, 2, 0, 1, 5};

/// Element (i, j) of matrix k, of which each target makes heights[k] rows and widths[k] columns.
Long element(Long k, Long i, Long j) { return 100 * k + 10 * i + j; }
Ragged<Long, 2> tables() {
    auto table = [](I k, I rows, I columns) {
        return generate(shape(rows, columns), [=](I i, I j) { return 100 * k + 10 * i + j; });
    };
    return vmap(ragged, table, iota(5), from(heights), from(widths));
}

}  // namespace

TEST_CASE("matrices of different extents", "[ragged]") {
    const auto made = all_of(tables());
    const auto transposed = all_of(vmap(ragged, [](M m) { return transpose(m) * 2; }, tables()));
    const auto sums = everywhere(sum(tables())).to_vector();
    const auto largest =
        everywhere(vmap([](M m) { return fold([](I a, I b) { return max(a, b); }, Long(1), flatten(m))(); }, tables()));
    REQUIRE(made.size() == 5);
    REQUIRE(transposed.size() == 5);
    for (std::size_t k = 0; k < 5; ++k) {
        const Long n = heights[k], m = widths[k];
        CHECK(made[k].first == std::vector<Long>{n, m});
        CHECK(transposed[k].first == std::vector<Long>{m, n});
        std::vector<Long> expected, turned;
        Long total = 0, most = 1;
        for (Long i = 0; i < n; ++i)
            for (Long j = 0; j < m; ++j) expected.push_back(element(static_cast<Long>(k), i, j)), total += expected.back();
        for (Long j = 0; j < m; ++j)
            for (Long i = 0; i < n; ++i) turned.push_back(2 * element(static_cast<Long>(k), i, j));
        for (Long v : expected) most = std::max(most, v);
        CHECK(made[k].second == expected);
        CHECK(transposed[k].second == turned);
        CHECK(sums[k] == total);
        CHECK(largest(static_cast<Long>(k)) == most);
    }
}

TEST_CASE("rows that become matrices, and matrices that become rows", "[ragged]") {
    const auto ns = from(std::vector<Long>{3, 0, 1, 9});
    const Ragged<Long> rows = vmap(ragged, [](I n) { return iota(n) + 1; }, ns);
    const auto products =
        vmap(ragged, [](X row) { return vmap([=](I a) { return map([=](I b) { return a * b; }, row); }, row); }, rows);
    const Ragged<Long> traces =
        vmap(ragged, [](M m) { return map([=](I i) { return m(i, i); }, iota(extent(m, 0))); }, products);
    const auto lengths = run(everywhere(traces.lengths())).to_vector();
    CHECK(lengths == std::vector<Long>{3, 0, 1, 9});
    CHECK(run(everywhere(sum(traces))).to_vector() == std::vector<Long>{14, 0, 1, 285});
    CHECK(run(everywhere(sum(map([](I v) { return v * 2; }, products)))).to_vector() == std::vector<Long>{72, 0, 2, 4050});
    const auto cubes = all_of(vmap(
        ragged, [](I n) { return generate(shape(n, 2, n), [](I i, I j, I k) { return i + 10 * j + 100 * k; }); },
        from(std::vector<Long>{1, 0, 2})));
    REQUIRE(cubes.size() == 3);
    CHECK(cubes[0].second == std::vector<Long>{0, 10});
    CHECK(cubes[1].first == std::vector<Long>{0, 2, 0});
    CHECK(cubes[2].second == std::vector<Long>{0, 100, 10, 110, 1, 101, 11, 111});
}

TEST_CASE("matrices of different extents, filtered rows and none", "[ragged]") {
    const auto m = from(numbers<Long>(12), shape(4, 3));
    auto table = [](X row) {
        const auto kept = filter([](I v) { return v > 0; }, row);
        return generate(shape(size(kept), 2), [=](I i, I j) { return kept(i) + j; });
    };
    const auto made = all_of(vmap(ragged, table, m));
    const auto x = m.to_vector();
    for (std::size_t k = 0; k < 4; ++k) {
        std::vector<Long> expected;
        for (std::size_t j = 0; j < 3; ++j)
            if (const Long v = x[3 * k + j]; v > 0) expected.insert(expected.end(), {v, v + 1});
        CHECK(made[k].second == expected);
        CHECK(made[k].first == std::vector<Long>{static_cast<Long>(expected.size()) / 2, 2});
    }
    CHECK(all_of(vmap(ragged, [](I n) { return fill(shape(n, 3), n); }, from(std::vector<Long>{}))).empty());
    const Ragged<Long, 2> wrong(from(numbers<Long>(5)),
                                {X(from(std::vector<Long>{2, 1})), X(from(std::vector<Long>{2, 2}))});
    CHECK_THROWS_AS(run(sum(wrong)), ShapeError);
    const auto kept = run(tables());
    CHECK(kept.to_arrays()[4].shape() == std::array<Long, 2>{4, 5});
}
