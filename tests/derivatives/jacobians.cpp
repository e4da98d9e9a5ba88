// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jacobians in forward mode of what is gathered: the derivatives of all directions at a place are read and written together.
#include "derivatives/support.hpp"

#include <cmath>

using namespace derivatives;

namespace {

struct Points {
    Long count;
    std::vector<double> weights = scattered(3 * count, -1, 1, 2);
    std::vector<Long> places() const {
        std::vector<Long> all;
        for (Long i = 0; i < count; ++i) all.push_back((i * 7919 + 3) % count);
        return all;
    }
    double at(Long i, Long k) const { return weights[static_cast<std::size_t>(3 * i + k)]; }
};

/// The elements of a large array, with an axis for two things of each of them.
auto gathered(const Array<double, 2>& weights, const Array<Long>& places) {
    return [=](D1 pose) {
        const D1 positions = generate(shape(extent(weights, 0)), [=](auto i) {
            return sin(for_loop(size(pose), [&](auto k, D0 s) { return s + weights(i, k) * pose(k); }, D0(0.0)));
        });
        return flatten(generate(shape(size(places), 2), [=](auto i, auto j) {
            const D0 position = positions(places(i));
            return select(j == 0, position, 2.0 * position * position);
        }));
    };
}

void check(Long count, const Options& options) {
    const Points points{count};
    const std::vector<double> at{0.3, -0.7, 0.2};
    const Array<double, 2> weights = from(points.weights, shape(count, 3));
    const Array<double> pose = from(at);
    const Array<double, 2> made = run(jacfwd(gathered(weights, from(points.places())))(pose), options);
    REQUIRE(made.shape() == std::array<Long, 2>{2 * count, 3});
    const std::vector<double> values = made.to_vector();
    double worst = 0;
    for (Long i = 0; i < count; ++i) {
        const Long place = (i * 7919 + 3) % count;
        double angle = 0;
        for (Long k = 0; k < 3; ++k) angle += points.at(place, k) * at[static_cast<std::size_t>(k)];
        for (Long k = 0; k < 3; ++k) {
            const double slope = std::cos(angle) * points.at(place, k);
            worst = std::max(worst, std::abs(values[static_cast<std::size_t>(6 * i + k)] - slope));
            worst = std::max(worst, std::abs(values[static_cast<std::size_t>(6 * i + 3 + k)] - 4 * std::sin(angle) * slope));
        }
    }
    CHECK(worst < 1e-14);
}

}  // namespace

TEST_CASE("Jacobians of what is gathered from small and large arrays", "[derivatives]") {
    for (Target target : targets())
        for (Long count : {1, 7, 1000, 50'000}) check(count, {.target = target});
    for (auto strategy : strategies) check(50'000, {.fusion = strategy});
    check(50'000, {.target = Target::interpreter()});
}
