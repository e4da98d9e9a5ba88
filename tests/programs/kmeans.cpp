// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "conform/support.hpp"

#include <programs/kmeans.hpp>
#include <programs/values.hpp>

using namespace programs;

namespace {

void require_clusters(std::int64_t k, const Array<Point>& points, int expected_steps, const std::vector<Point>& expected,
                      double tolerance) {
    const auto check = [&](const Options& options) {
        const auto [centres, steps] = run(kmeans(k, points), options);
        CHECK(steps.item() == expected_steps);
        REQUIRE(centres.size() == k);
        for (std::size_t j = 0; j < expected.size(); ++j) {
            CHECK(std::get<0>(centres(j)) == Approx(std::get<0>(expected[j])).margin(tolerance));
            CHECK(std::get<1>(centres(j)) == Approx(std::get<1>(expected[j])).margin(tolerance));
        }
        return centres.to_vector();
    };
    const auto centres = check({.target = Target::interpreter()});
    for (const Fusion fusion : conform::strategies)
        for (const int threads : {1, 2})
            conform::require_same(centres, check({.target = Target::host(threads), .fusion = fusion}));
}

}  // namespace

TEST_CASE("k-means: the file") {
    const auto in = reference_data("kmeans/trivial.in"), out = reference_data("kmeans/trivial.out");
    if (!in || !out) {
        WARN("skipped: no reference data");
        return;
    }
    const auto pairs = [](const std::vector<float>& numbers) {
        std::vector<Point> points;
        for (std::size_t i = 0; i < numbers.size(); i += 2) points.emplace_back(numbers[i], numbers[i + 1]);
        return points;
    };
    Values input(*in), output(*out);
    const auto k = input.scalar<std::int32_t>();
    const auto points = pairs(input.array<float>());
    const auto centres = pairs(output.array<float>());
    require_clusters(k, from(points), output.scalar<std::int32_t>(), centres, 1e-5);
}

TEST_CASE("k-means: generated") {
    require_clusters(7, blobs(1000, 7), 11,
                     {{0.629319f, 0.7787901f},
                      {-0.8905507f, 0.4318453f},
                      {1.015394f, -0.008787201f},
                      {-0.2041069f, 0.9625448f},
                      {-0.2182961f, -0.9851536f},
                      {0.6149668f, -0.764379f},
                      {-0.8953801f, -0.4394258f}},
                     1e-4);
    CHECK(std::get<0>(blobs(1000, 7)(0)) == Approx(-0.163268641f).epsilon(1e-6));
}

TEST_CASE("k-means: an empty cluster stays one") {
    // Both initial centres are the same point: all points go to the second.
    const auto points = from(std::vector<Point>{{1.f, 1.f}, {1.f, 1.f}, {2.f, 2.f}, {3.f, 0.f}});
    const auto [centres, steps] = run(kmeans(2, points));
    CHECK(std::isnan(std::get<0>(centres(0))));
    CHECK(centres(1) == Point(1.75f, 1.f));
}
