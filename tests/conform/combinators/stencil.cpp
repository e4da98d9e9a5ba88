// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stencils: every border, ranks 1 to 3, offsets beyond the array, products.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

std::int64_t clamped(std::int64_t i, std::int64_t n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }
std::int64_t wrapped(std::int64_t i, std::int64_t n) { return (i % n + n) % n; }
std::int64_t mirrored(std::int64_t i, std::int64_t n) {
    std::int64_t at = wrapped(i, 2 * n);
    return at < n ? at : 2 * n - 1 - at;
}

template <class At>
std::vector<float> expected_sums(const std::vector<float>& x, At at) {
    std::vector<float> result;
    auto n = static_cast<std::int64_t>(x.size());
    for (std::int64_t i = 0; i < n; ++i)
        result.push_back(x[static_cast<std::size_t>(at(i - 2, n))] * 4 + x[static_cast<std::size_t>(i)] * 2 +
                         x[static_cast<std::size_t>(at(i + 1, n))]);
    return result;
}

const auto weighted = [](auto s) { return s(-2) * 4 + s(0) * 2 + s(1); };

}  // namespace

TEST_CASE("stencils of rank 1", "[stencil]") {
    for (std::int64_t n : {0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 1000, 70000}) {
        CAPTURE(n);
        auto hx = numbers<float>(n);
        Array<float> x = from(hx);
        require_same(expected_sums(hx, clamped), everywhere(stencil(weighted, boundary::clamp, x)).to_vector());
        require_same(expected_sums(hx, wrapped), everywhere(stencil(weighted, boundary::wrap, x)).to_vector());
        require_same(expected_sums(hx, mirrored), everywhere(stencil(weighted, boundary::mirror, x)).to_vector());
        std::vector<float> expected;
        for (std::int64_t i = 0; i < n; ++i)
            expected.push_back((i < 2 ? 100 : hx[static_cast<std::size_t>(i - 2)]) * 4 +
                               hx[static_cast<std::size_t>(i)] * 2 +
                               (i + 1 < n ? hx[static_cast<std::size_t>(i + 1)] : 100));
        require_same(expected, everywhere(stencil(weighted, boundary::constant(100), x)).to_vector());
        everywhere(stencil(weighted, boundary::constant(sum(x)), x));
    }
}

TEMPLATE_TEST_CASE("rows of all widths, with borders of all widths", "[stencil]", std::int8_t, std::uint16_t, std::int32_t,
                   std::int64_t, float, double) {
    using T = TestType;
    for (std::int64_t width : {1, 2, 4, 7, 8, 9, 10, 15, 17, 18, 31, 33, 34, 35, 65, 67, 130, 132, 200}) {
        CAPTURE(width);
        Array<T, 2> a = from(numbers<T>(3 * width), shape(3, width));
        auto near = [](auto s) { return s(0, -1) + s(0, 0) * T(2) + s(1, 1) * T(3); };
        auto far = [](auto s) { return s(0, -9) + s(0, 0) * T(2) + s(-1, 17) * T(3); };
        everywhere(stencil(near, boundary::clamp, a));
        everywhere(stencil(near, boundary::mirror, a));
        everywhere(stencil(far, boundary::clamp, a));
        everywhere(stencil(far, boundary::wrap, a));
        everywhere(stencil(far, boundary::constant(T(7)), a));
    }
}

TEST_CASE("stencils of higher rank", "[stencil]") {
    auto cross = [](auto s) { return s(-1, 0) + s(1, 0) + s(0, -1) + s(0, 1) - 4.f * s(0, 0); };
    for (std::int64_t rows : {0, 1, 3, 17}) {
        for (std::int64_t columns : {0, 1, 5, 33, 130}) {
            CAPTURE(rows, columns);
            Array<float, 2> a = from(numbers<float>(rows * columns), shape(rows, columns));
            auto edges = everywhere(stencil(cross, boundary::clamp, a));
            if (rows > 2 && columns > 2) REQUIRE(edges(1, 1) == a(0, 1) + a(2, 1) + a(1, 0) + a(1, 2) - 4 * a(1, 1));
            everywhere(stencil(cross, boundary::wrap, a));
            everywhere(stencil(cross, boundary::mirror, a));
            everywhere(stencil(cross, boundary::constant(1.f), a));
            everywhere(stencil(cross, boundary::clamp, stencil(cross, boundary::wrap, a)));
        }
    }
    Array<std::int32_t, 3> c = from(numbers<std::int32_t>(3 * 4 * 5), shape(3, 4, 5));
    auto box = [](auto s) {
        Exp<std::int32_t> total = 0;
        for (int i : {-1, 0, 1})
            for (int j : {-1, 0, 1})
                for (int k : {-1, 0, 1}) total += s(i, j, k);
        return total;
    };
    everywhere(stencil(box, boundary::mirror, c));
    everywhere(stencil(box, boundary::constant(0), c));
}

TEST_CASE("stencils of products, with captures and branches", "[stencil]") {
    for (auto n : few_sizes) {
        CAPTURE(n);
        auto pairs = zip(from(numbers<float>(n)), from(numbers<std::int32_t>(n, 3)));
        auto [a, b] = unzip(stencil(
            [](auto s) {
                auto [u, v] = s(-1);
                auto [w, x] = s(2);
                return std::tuple(u + w, v - x);
            },
            boundary::wrap, pairs));
        everywhere(a);
        everywhere(b);
        Array<float> x = from(numbers<float>(n));
        auto total = sum(x);
        everywhere(
            stencil([&](auto s) { return cond(s(0) > 0, [&] { return s(1) + total(); }, [&] { return s(-1) + s(1); }); },
                    boundary::clamp, x));
        everywhere(stencil([](auto) { return 2.f; }, boundary::clamp, x));
    }
}

TEMPLATE_TEST_CASE("stencils in the loops of scans and filters", "[stencil]", std::uint8_t, std::int32_t, std::int64_t,
                   float) {
    using T = TestType;
    auto plus = [](auto x, auto y) { return x + y; };
    auto check = [=](auto border, const Array<T>& x) {
        auto blurred = stencil([](auto s) { return s(-1) + s(3) * T(2) - s(0); }, border, x);
        everywhere(zip(blurred, inclusive_scan(plus, x)));
        everywhere(inclusive_scan(plus, blurred));
        everywhere(exclusive_scan(plus, T(1), blurred, from_right));
        everywhere(filter([](auto v) { return v > T(2); }, blurred));
        const auto both = std::tuple(filter([](auto v) { return v > T(2); }, x), blurred);
        const auto expected = run(both, {.target = Target::interpreter()});
        for (Fusion fusion : strategies) {
            const auto actual = run(both, {.fusion = fusion});
            require_same(std::get<0>(expected).to_vector(), std::get<0>(actual).to_vector());
            require_same(std::get<1>(expected).to_vector(), std::get<1>(actual).to_vector());
        }
    };
    for (std::int64_t n : {0, 1, 2, 3, 4, 7, 8, 9, 12, 17, 31, 33, 36, 100, 1000, 70001}) {
        CAPTURE(n);
        const Array<T> x = from(numbers<T>(n));
        check(boundary::wrap, x);
        if (n > 1000 && sizeof(T) != 4) continue;  // what is far from the ends does not depend on the border
        check(boundary::clamp, x);
        check(boundary::mirror, x);
        check(boundary::constant(T(3)), x);
    }
}

TEST_CASE("borders are kept where a stencil reads beyond them", "[stencil]") {
    for (std::int64_t n : {0, 1, 2, 3, 4, 5, 8, 9, 17, 33, 1000, 70001}) {
        CAPTURE(n);
        const auto hx = numbers<float>(n);
        std::vector<float> expected = hx;
        for (std::size_t i = 2; i + 1 < hx.size(); ++i) expected[i] = hx[i - 2] * 4 + hx[i] * 2 + hx[i + 1];
        const Array<float> x = from(hx);
        require_same(expected, everywhere(stencil(weighted, boundary::keep, x)).to_vector());
        everywhere(stencil([](auto s) { return s(-1) - s(100); }, boundary::keep, x * 2.f));
        require_same(hx,
                     everywhere(stencil([](auto s) { return s(INT64_MIN) + s(INT64_MAX); }, boundary::keep, x)).to_vector());
        require_same(hx, everywhere(stencil([](auto s) { return s(0) + 0.f; }, boundary::keep, x)).to_vector());
        const auto pairs =
            stencil([](auto s) { return std::tuple(get<1>(s(1)) + 1.f, get<0>(s(0))); }, boundary::keep, zip(x, x * 3.f));
        everywhere(pairs);
    }
    for (std::int64_t rows : {0, 1, 2, 3, 17}) {
        for (std::int64_t columns : {0, 1, 2, 3, 5, 33, 130}) {
            CAPTURE(rows, columns);
            const Array<float, 2> a = from(numbers<float>(rows * columns), shape(rows, columns));
            auto cross = [](auto s) { return s(-1, 0) + s(1, 0) + s(0, -1) + s(0, 1) - 4.f * s(0, 0); };
            const auto result = everywhere(stencil(cross, boundary::keep, a));
            for (std::int64_t i = 0; i < rows; ++i)
                for (std::int64_t j = 0; j < columns; ++j) {
                    const bool inside = i > 0 && i + 1 < rows && j > 0 && j + 1 < columns;
                    REQUIRE(result(i, j) ==
                            (inside ? a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1) - 4 * a(i, j) : a(i, j)));
                }
            everywhere(stencil(cross, boundary::keep, stencil(cross, boundary::keep, a)));
        }
    }
    const Array<std::int32_t, 3> c = from(numbers<std::int32_t>(3 * 4 * 5), shape(3, 4, 5));
    everywhere(stencil([](auto s) { return s(-1, 0, 0) + s(1, 0, 1); }, boundary::keep, c));
}

TEST_CASE("a stencil whose borders are kept does nothing there", "[stencil]") {
    const Array<int> x = from({0, 1, 2, 3, 0}),
                     divided = everywhere(stencil([](auto s) { return s(-1) / s(0) + s(1); }, boundary::keep, x));
    require_same(divided.to_vector(), std::vector<int>{0, 2, 3, 0, 0});
    const Array<int, 2> m = from({1, 2, 3, 4, 5, 6}, shape(2, 3));
    auto lines = vmap([](auto row) { return stencil([](auto s) { return s(-1) + s(1); }, boundary::keep, row); }, m);
    require_same(everywhere(lines).to_vector(), std::vector<int>{1, 4, 3, 4, 10, 6});
    auto named = compile([](Delayed<int, 1> a, Exp<int> by) {
        return stencil([=](auto s) { return s(-1) * by + s(1); }, boundary::keep, a);
    });
    require_same(named(x, 10).to_vector(), std::vector<int>{0, 2, 13, 20, 0});
}

TEST_CASE("maps that read neighbours by their indices are stencils", "[stencil]") {
    for (std::int64_t n : {1, 2, 3, 31, 1000}) {
        Array<float> x = from(numbers<float>(n));
        auto bright = map([](auto v) { return v > 0.5f; }, x);
        auto begins =
            map_indexed([=](Exp<std::int64_t> i,
                            Exp<bool> b) { return cast<int>(b && (i == 0 || !bright(max(i - 1, Exp<std::int64_t>(0))))); },
                        bright);
        everywhere(sum(begins));
        auto doubled = x * 2.f;
        auto around = map_indexed(
            [=](Exp<std::int64_t> i, Exp<float> v) {
                auto count = size(doubled);
                return v - doubled((i + 1) % count) + doubled((i + count - 1) % count) * doubled(min(i + 2, count - 1));
            },
            doubled);
        everywhere(around);
        auto explanation = explain(sum(begins));
        INFO(explanation.text());
        CHECK(explanation.clusters().size() == 1);
    }
}
