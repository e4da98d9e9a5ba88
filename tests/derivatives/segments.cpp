// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of folds and scans of segments, and of expansion.
#include "derivatives/support.hpp"

using namespace derivatives;

namespace {

constexpr auto plus = [](const auto& a, const auto& b) { return a + b; };
constexpr auto times = [](const auto& a, const auto& b) { return a * b; };
constexpr auto larger = [](const auto& a, const auto& b) { return max(a, b); };
constexpr auto affine = [](const auto& f, const auto& g) {
    auto [a, b] = f;
    auto [c, d] = g;
    return std::tuple(a * c, b * c + d);
};
constexpr auto value = [](const auto& p, const auto& q) { return p + 3 * q; };

const std::vector<Long> some_lengths{3, 0, 1, 4, 2};

D1 squares(D1 x) {
    return map([](auto a) { return a * a; }, x);
}

template <class... From>
void check_scans(From... from_there) {
    const Array<Long> lengths = from(some_lengths);
    check([=](D1 x) { return inclusive_scan_segments(plus, squares(x), lengths, from_there...); });
    check([=](D1 x) { return inclusive_scan_segments(times, sum(x)(), x, lengths, from_there...); });
    check([=](D1 x) { return exclusive_scan_segments(plus, sum(x)(), squares(x), lengths, from_there...); });
    check([=](D1 x) { return exclusive_scan_segments(larger, 0.1, x, lengths, from_there...); });
    check([=](D1 x) {
        const auto [before, totals] = scan_with_total_segments(times, 0.7, x, lengths, from_there...);
        return map(plus, before, gather(iota(10) % 5, totals));
    });
    check([=](D1 x) { return map(value, inclusive_scan_segments(affine, zip(x, squares(x)), lengths, from_there...)); });
    check([=](D1 x) {
        return map(value, exclusive_scan_segments(affine, std::tuple(1.0, 0.5), zip(x, squares(x)), lengths, from_there...));
    });
}

}  // namespace

TEST_CASE("derivatives of folds of segments", "[derivatives][segments]") {
    const Array<Long> lengths = from(some_lengths);
    check([=](D1 x) { return fold_segments(plus, 0., squares(x), lengths); });
    check([=](D1 x) { return fold_segments(times, sum(x)(), x, lengths); });
    check([=](D1 x) { return fold_segments(larger, 0.1, x, lengths); });
    check([=](D1 x) { return map(value, fold_segments(affine, std::tuple(1.0, 0.5), zip(x, squares(x)), lengths)); });
    const Array<Long> column = from(std::vector<Long>{1, 0, 7, 3, 3, 9, 8, 2, 5, 6});
    check([=](D1 x) { return fold_segments(plus, 0., x * gather(column, x), lengths); });
    const Array<Long> none = from(std::vector<Long>{0, 0});
    check([=](D1 x) { return fold_segments(plus, sum(x)(), take(x, 0), none); });
}

TEST_CASE("derivatives of folds of segments keep no states of loops", "[derivatives][segments]") {
    const Array<Long> lengths = from(some_lengths);
    const Array<double> x = from(scattered(10, -1, 1));
    auto loss = [=](D1 a) { return sum(squares(fold_segments(plus, 1., a * 2., lengths))); };
    CHECK(explain(grad(loss)(x)).clusters().size() <= 8);
    CHECK(explain(fold_segments(plus, 1., x * 2., lengths)).clusters().size() == 3);
}

TEST_CASE("derivatives of folds of long segments", "[derivatives][segments]") {
    const Array<Long> lengths = from(std::vector<Long>{700, 0, 1800, 3});
    const Inputs inputs{.n = 2503, .tolerance = 1e-11};
    check([=](D1 x) { return fold_segments(plus, 0.5, squares(x), lengths); }, inputs);
    check([=](D1 x) { return fold_segments(larger, 0.1, x, lengths); }, {.n = 2503, .tolerance = 1e-11});
}

TEST_CASE("derivatives of scans of segments", "[derivatives][segments]") {
    check_scans();
    check_scans(from_right);
}

TEST_CASE("derivatives of folds and scans of segments of rows", "[derivatives][segments]") {
    const Array<Long> lengths = from(std::vector<Long>{2, 0, 3});
    check(
        [=](D1 x) { return vmap([=](D1 row) { return fold_segments(times, 1., row, lengths); }, reshape(x, shape(3, 5))); },
        {.n = 15});
    check(
        [=](D1 x) {
            return vmap([=](D1 row) { return exclusive_scan_segments(plus, 1., row * row, lengths); },
                        reshape(x, shape(3, 5)));
        },
        {.n = 15});
}

TEST_CASE("derivatives of expansion", "[derivatives][segments]") {
    const Array<Long> counts = from(some_lengths);
    auto powers = [](auto a, auto j) { return a * (a + cast<double>(j)); };
    check([=](D1 x) { return fold_segments(plus, 0., expand(counts, powers, x), counts); }, {.n = 5});
}
