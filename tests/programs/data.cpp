// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Examples that analyse data: neighbours, regions, convolution, regression, principal components, value at risk.
#include "conform/support.hpp"

#include <programs/convolution.hpp>
#include <programs/nearest_neighbours.hpp>
#include <programs/principal_components.hpp>
#include <programs/regions.hpp>
#include <programs/regression.hpp>
#include <programs/value_at_risk.hpp>

using namespace programs;

namespace {

/// f of the arguments, compiled for every target and strategy. Sums of floats are not the interpreter's to the last bit.
template <class F, class... A>
std::vector<double> nearly_everywhere(F f, const A&... a) {
    const auto expected = compile(f, {.target = Target::interpreter()})(a...).to_vector();
    for (const Target& target : conform::targets())
        for (const Fusion fusion : conform::strategies) {
            const auto found = compile(f, {.target = target, .fusion = fusion})(a...).to_vector();
            REQUIRE(found.size() == expected.size());
            for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(expected[i]).epsilon(1e-9).margin(1e-9));
        }
    return expected;
}

}  // namespace

TEST_CASE("regions and neighbours") {
    const Array<bool, 2> image =
        from(std::vector<bool>{true, true, false, true, false, true, false, true, true, false, false, false}, shape(3, 4));
    auto find = compile([](Delayed<bool, 2> picture) { return regions(picture); });
    CHECK(find(image).to_vector() == std::vector<std::int64_t>{0, 0, -1, 3, -1, 0, -1, 3, 8, -1, -1, -1});
    for (const Fusion fusion : conform::strategies)
        for (const Target& target : {Target::interpreter(), conform::targets()[0]})
            CHECK(compile([](Delayed<bool, 2> picture) { return regions(picture); },
                          {.target = target, .fusion = fusion})(blots(24, 30))
                      .to_vector() == find(blots(24, 30)).to_vector());
    conform::everywhere(class_map(spirals(40), 3, 3, 6));
}

TEST_CASE("convolution") {
    const Array<double, 2> image = chessboard(12, 20), disc_of_2 = disc(12, 20, 2), point = disc(12, 20, 0.5);
    const auto same = run(convolved(image, point)).to_vector();
    for (std::size_t i = 0; i < same.size(); ++i) CHECK(same[i] == Approx(image.to_vector()[i]).margin(1e-12));
    for (const Target& target : {Target::interpreter(), conform::targets()[0]}) {
        const auto blurred = run(convolved(image, disc_of_2), {.target = target});
        double expected = 0;
        for (std::int64_t k = 0; k < 12; ++k)
            for (std::int64_t l = 0; l < 20; ++l) expected += disc_of_2(k, l) * image((5 - k + 12) % 12, (7 - l + 20) % 20);
        CHECK(blurred(5, 7) == Approx(expected));
    }
}

TEST_CASE("regression") {
    using D = Delayed<double>;
    const Array<double> x = make_input(30, [](auto i) { return symmetric64(1, i); });
    const Array<double> y = run(map([](auto v) { return 2.0 - v * v; }, x));
    const auto c = nearly_everywhere([](D u, D v) { return fit(u, v, 2); }, x, y);
    CHECK(c[0] == Approx(2));
    CHECK(c[1] == Approx(0).margin(1e-12));
    CHECK(c[2] == Approx(-1));
    nearly_everywhere([](D u, D v) { return fit_ridge(u, v, 4, Exp<double>(0.5)); }, x, y);
    nearly_everywhere([](D found, D u) { return values_at(found, u); }, Array<double>(from(c)), x);
}

TEST_CASE("principal components and value at risk") {
    nearly_everywhere([](Delayed<double, 2> points) { return std::get<0>(principal_components(points)); }, cigar(200));
    const Array<double> values = from(std::vector<double>{1, 2});
    const Array<double, 2> covariance = from(std::vector<double>{1, 0.5, 0.5, 2}, shape(2, 2));
    nearly_everywhere([](Delayed<double> v, Delayed<double, 2> c) { return portfolio_losses(50, v, c); }, values,
                      covariance);
}
