// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise work on rows shorter than a vector, which is done along two axes at once.
#include "conform/support.hpp"

using namespace sinter;
using conform::everywhere;
using conform::numbers;

namespace {

using Number = Exp<std::int64_t>;

/// Calls `check(rows, columns)` for narrow matrices of few and many points.
template <class F>
void for_narrow(F check) {
    for (std::int64_t columns : {1, 2, 3, 4, 5, 7, 9, 12, 31})
        for (std::int64_t rows : {1, 2, 5, 33, 260}) {
            CAPTURE(rows, columns);
            check(rows, columns);
        }
}

}  // namespace

TEMPLATE_TEST_CASE("indices, broadcasts and reversals of narrow matrices", "[flat]", std::int8_t, std::int32_t, std::int64_t,
                   half, float, double) {
    using T = TestType;
    for_narrow([](std::int64_t rows, std::int64_t columns) {
        const Delayed<T, 2> a = from(numbers<T>(rows * columns), shape(rows, columns));
        const Delayed<T, 1> left = from(numbers<T>(rows, 2)), top = from(numbers<T>(columns, 3));
        everywhere(a * broadcast(left, shape(rows, columns), axes(0)) + broadcast(top, shape(rows, columns), axes(1)));
        everywhere(reverse(a, 1) - a);
        everywhere(map_indexed([=](Number i, Number j, auto x) { return x + left(i) * top(j); }, a));
        everywhere(generate(shape(rows, columns), [=](Number i, Number j) { return a(i, columns - 1 - j) + left(i); }));
        everywhere(stencil([](auto s) { return s(-1, 0) + s(0, 1) + s(1, -1); }, boundary::clamp, a));
        everywhere(pad(a, {{1, 0}, {2, 1}}, T(3)) + T(1));
    });
}

TEST_CASE("colours of an image, pairs and flags along a short axis", "[flat]") {
    for (std::int64_t width : {1, 6, 40})
        for (std::int64_t channels : {1, 3, 4}) {
            CAPTURE(width, channels);
            const auto extents = shape(9, width, channels);
            const Delayed<float, 3> image = from(numbers<float>(9 * width * channels), extents);
            const Delayed<float, 1> weights = from(numbers<float>(channels, 4));
            everywhere(image * broadcast(weights, extents, axes(2)));
            everywhere(reverse(image, 2) + reverse(image, 1));
            everywhere(sum(map_indexed([=](Number, Number, Number c, auto v) { return v * weights(c); }, image), axis(2)));
            everywhere(generate(extents, [=](Number i, Number j, Number c) { return (i + 2 * j) % 3 == c; }));
            everywhere(map_indexed([=](Number i, Number j, Number c, auto v) { return std::tuple(i - j, c, v); }, image));
        }
}

TEST_CASE("quotients and rests of neighbouring indices", "[flat]") {
    for (std::int64_t divisor : {1, 2, 3, 7, 8, 1000, -1, -3, -8})
        for (std::int64_t first : std::vector<std::int64_t>{0, -500, 1, (std::int64_t{1} << 46) - 77}) {
            CAPTURE(divisor, first);
            auto f = compile([](Delayed<std::int64_t> n, Number d, Number start) {
                return map([=](auto i) { return (i + start) / d * 3 + (i + start) % d; }, n);
            });
            auto indices = [&](Target target) {
                return compile(
                    [](Number n, Number d, Number start) {
                        return generate(shape(n), [=](Number i) { return (i + start) / d * 3 + (i + start) % d; });
                    },
                    {.target = target})(1001, divisor, first);
            };
            const auto expected = indices(Target::interpreter()).to_vector();
            conform::require_same(expected, f(run(iota(1001)), divisor, first).to_vector());
            for (Target target : conform::targets()) conform::require_same(expected, indices(target).to_vector());
        }
}

TEST_CASE("an index out of range in a narrow matrix", "[flat][errors]") {
    const Array<float> table = from({1.f, 2.f, 3.f});
    for (Target target : conform::targets())
        for (std::int64_t rows : {4, 100}) {
            auto bad = generate(shape(rows, 3), [=](Number i, Number j) { return table(i + j); });
            REQUIRE_THROWS_AS(run(bad, {.target = target}), IndexError);
            REQUIRE(run(generate(shape(rows, 3), [=](Number, Number j) { return table(j); }), {.target = target})(1, 2) ==
                    3);
        }
}
