// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of reshaped arrays, reshaped back: what is computed in between has the shape of the result.
#include "conform/support.hpp"

#include <array>

using namespace sinter;
using conform::everywhere;
using conform::numbers;

namespace {

using Row = Delayed<float>;

Row centred(Row x) {
    auto d = x - sum(x) / 8.f;
    return d / (1.f + fold([](auto a, auto b) { return max(a, b); }, 0.f, abs(d)));
}

const std::vector<std::array<std::int64_t, 3>> shapes = {{0, 3, 4}, {2, 0, 5}, {2, 3, 0}, {1, 1, 1}, {3, 5, 7}, {4, 2, 64}};

}  // namespace

TEST_CASE("rows of a reshaped array, reshaped back", "[view][reshape]") {
    for (auto [n, m, w] : shapes) {
        CAPTURE(n, m, w);
        const Delayed<float, 3> a = from(numbers<float>(n * m * w), shape(n, m, w));
        const Delayed<float, 2> rows = reshape(a, shape(n * m, w));
        everywhere(reshape(vmap(centred, rows), shape(n, m, w)));
        everywhere(reshape(vmap(centred, rows), shape(m, n, w)));
        const auto negated = -rows;
        everywhere(concat(reshape(reshape(negated, shape(n, m, w)), shape(n * m * w)), sum(negated)));
    }
}

TEST_CASE("rows of an array whose shape is a parameter, reshaped back", "[view][reshape]") {
    const auto f = compile([](Delayed<float, 4> x) {
        auto n = extent(x, 0), h = extent(x, 1), m = extent(x, 2), w = extent(x, 3);
        Delayed<float, 2> rows = reshape(x, shape(n * h * m, w));
        return reshape(vmap(centred, rows), shape(n, h, m, w));
    });
    for (std::int64_t w : {0, 1, 40}) {
        const Array<float, 4> x = run(from(numbers<float>(24 * w), shape(2, 3, 4, w)));
        const Array<float, 4> expected = everywhere(reshape(vmap(centred, reshape(x, shape(24, w))), shape(2, 3, 4, w)));
        CHECK(f(x).to_vector() == expected.to_vector());
    }
}

TEMPLATE_TEST_CASE("results that are another array under another shape", "[view][reshape]", std::uint8_t, std::int16_t,
                   float, double) {
    using T = TestType;
    const auto same = [](auto x) { return x; };
    const auto larger = [](auto x, auto y) { return max(x, y); };
    for (auto [n, m, w] : shapes) {
        CAPTURE(n, m, w);
        const Delayed<T, 3> a = from(numbers<T>(n * m * w), shape(n, m, w));
        const auto other = shape(m * n, w), line = shape(w * m * n);
        everywhere(reshape(a, other));
        everywhere(reshape(fold(larger, T(0), a, axis(2)), shape(m, n)));
        everywhere(reshape(map(same, fold(larger, T(0), a, axis(1))), shape(w * n)));
        everywhere(reshape(inclusive_scan(larger, T(0), a), other));
        everywhere(reshape(reverse(a, axis(1)), line));
        everywhere(reshape(filter([](auto x) { return x == x; }, reshape(a, line)), shape(n, m * w)));
        everywhere(reshape(sort(reshape(a, line)), other));
        everywhere(reshape(force(map(same, a)), other));
    }
}

TEST_CASE("results under another shape, beside other results and uses", "[view][reshape]") {
    const Delayed<double, 2> a = from(numbers<double>(12 * 35), shape(12, 35));
    const auto f = compile([](Delayed<double, 2> x) {
        auto n = extent(x, 0), m = extent(x, 1);
        auto y = map([](auto v) { return v * 2. + 1.; }, x);
        auto z = reshape(y, shape(m, n));
        return std::tuple(y, z, reshape(y, shape(n * m)), z, reshape(x, shape(m, n)), sum(z),
                          reshape(sum(y, axis(1)), shape(n, 1)));
    });
    const auto again = compile([](Delayed<double, 2> x) {
        return for_loop(
            3,
            [](auto k, auto y) {
                return reshape(map([=](auto v) { return v + cast<double>(k); }, reverse(y)), shape(size(y)));
            },
            reshape(x, shape(extent(x, 0) * extent(x, 1))));
    });
    const auto expected = run(a).to_vector();
    for (int call = 0; call < 3; ++call) {
        const auto [y, z, flat, z_again, x, total, sums] = f(run(a));
        CHECK(z.shape() == std::array<std::int64_t, 2>{35, 12});
        CHECK(sums.shape() == std::array<std::int64_t, 2>{12, 1});
        CHECK(x.to_vector() == expected);
        CHECK(flat.to_vector() == y.to_vector());
        CHECK(z.to_vector() == y.to_vector());
        CHECK(z_again.to_vector() == y.to_vector());
        CHECK(again(run(a)).shape() == std::array<std::int64_t, 1>{12 * 35});
    }
    conform::compiled_everywhere(
        [](Delayed<double, 2> x) {
            return for_loop(
                5, [](auto, auto y) { return reshape(transpose(y), shape(extent(y, 0), extent(y, 1))); },
                reshape(x, shape(extent(x, 1), extent(x, 0))));
        },
        run(a));
}

TEST_CASE("a reshape of what is in memory moves nothing", "[view][reshape][one_process]") {
    const Delayed<float, 2> a = from(numbers<float>(60 * 40), shape(60, 40));
    CHECK(explain(reshape(a, shape(40, 60))).bytes_moved() == 0);
    const auto sums = map([](auto x) { return x + 1.f; }, sum(a, axis(1)));
    CHECK(explain(reshape(sums, shape(6, 10))).bytes_moved() == explain(sums).bytes_moved());
    const Array<float, 2> stored = run(a);
    CHECK(run(reshape(stored, shape(40, 60))).data() == stored.data());
}
