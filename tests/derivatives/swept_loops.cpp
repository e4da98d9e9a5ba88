// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of stencils, whose reverse sweeps may go there and back through some iterations tile by tile. Run once as they are,
// and once with SINTER_STEP_TILES, with which short arrays are cut into tiles, too.
#include "derivatives/support.hpp"

using namespace derivatives;

namespace {

/// Lengths around those of tiles, and counts around those of segments.
const Long lengths[] = {1, 2, 3, 4, 7, 33};
const Long counts[] = {0, 1, 2, 3, 7, 10};

D1 spread(D1 x) {
    auto flow = [](auto s) { return s(0) + 0.1 * ((1.0 + s(0) * s(0)) * (s(1) - s(0)) - sin(s(-1)) * (s(0) - s(-1))); };
    return stencil(flow, boundary::clamp, x);
}

template <class Body>
void check_lengths(Body body) {
    for (Long n : lengths)
        for (Long count : counts) {
            CAPTURE(n, count);
            check([=](D1 x) { return body(x, count); }, {.n = n});
        }
}

}  // namespace

TEST_CASE("derivatives of loops of stencils", "[derivatives][swept]") {
    check_lengths([](D1 x, Long count) { return for_loop(count, [](auto, D1 s) { return spread(s); }, x); });
    check_lengths([](D1 x, Long count) {
        auto two_stages = [](auto, D1 s) { return 0.9 * spread(force(spread(s))); };
        return for_loop(count, two_stages, x);
    });
}

TEST_CASE("derivatives of loops of stencils with every border", "[derivatives][swept]") {
    auto with = [](auto border) {
        check_lengths([=](D1 x, Long count) {
            auto step = [=](auto, D1 s) {
                return stencil([](auto at) { return sin(at(-1)) * at(1) + 0.5 * at(0); }, border, s);
            };
            return for_loop(count, step, x);
        });
    };
    with(boundary::wrap);
    with(boundary::symmetric);
    with(boundary::keep);
    with(boundary::constant(0.3));
}

TEST_CASE("derivatives of loops of stencils that use the number of the step, and arrays beside", "[derivatives][swept]") {
    check_lengths([](D1 x, Long count) {
        auto step = [&](auto i, D1 s) { return spread(s) * (0.7 + 0.1 * cast<double>(i)) + 0.1 * x * cast<double>(i * i); };
        return for_loop(count, step, x);
    });
    check_lengths([](D1 x, Long count) {  // the sum of all is needed everywhere
        return for_loop(count, [&](auto, D1 s) { return spread(s) + 0.01 * sum(s)(); }, x);
    });
}

TEST_CASE("derivatives of loops of stencils with several states", "[derivatives][swept]") {
    check_lengths([](D1 x, Long count) {  // leapfrog: a state takes another's place
        auto step = [](auto, D1 before, D1 now) { return std::tuple(now, now * 1.5 - before * 0.7 + 0.1 * spread(now)); };
        auto [before, now] = for_loop(count, step, x * 0.5, x);
        return before + now * now;
    });
    check_lengths([](D1 x, Long count) {  // they change places, and one stays
        auto step = [](auto, D1 a, D1 b, D1 c) { return std::tuple(spread(b) * c, 0.5 * spread(a), c); };
        auto [a, b, c] = for_loop(count, step, x, 0.5 * x, sin(x));
        return a + b * c;
    });
}

TEST_CASE("derivatives of loops of stencils in place", "[derivatives][swept]") {
    auto middle = [](D1 s) { return slice(spread(s), range(1, size(s) - 1)); };
    for (Long n : {3, 4, 9, 33})
        for (Long count : counts) {
            CAPTURE(n, count);
            auto step = [=](auto, D1 s) { return update(s, range(1, size(s) - 1), middle(s)); };
            check([=](D1 x) { return for_loop(count, step, x); }, {.n = n});
        }
}

TEST_CASE("derivatives of loops of stencils of rank 2", "[derivatives][swept]") {
    auto cross = [](auto s) { return s(0, 0) + 0.2 * (sin(s(-1, 0)) + s(1, 0) * s(0, -1) + s(0, 1)); };
    for (Long rows : {1, 2, 5, 11})
        for (Long count : counts) {
            CAPTURE(rows, count);
            auto step = [=](auto, D2 s) { return 0.5 * stencil(cross, boundary::clamp, s); };
            check([=](D1 x) { return for_loop(count, step, reshape(x, shape(rows, 5))); }, {.n = rows * 5});
        }
}

TEST_CASE("derivatives of loops of stencils with other lengths, counts and numbers from call to call",
          "[derivatives][swept]") {
    auto f = [](D1 x, Exp<Long> count, Exp<double> factor) {
        auto step = [=](auto i, D1 s) { return spread(s) * (factor - 0.01 * cast<double>(i % (count + 1))); };
        const D1 end = for_loop(count, step, x);
        return sum(end * end);
    };
    auto slope = [=](D1 x, Exp<Long> count, Exp<double> factor) { return value_and_grad(f)(x, count, factor); };
    const auto expected = compile(slope, {.target = Target::interpreter()});
    for (int threads : {1, 2}) {
        const auto compiled = compile(slope, {.target = Target::host(threads)});
        for (int call = 0; call < 60; ++call) {
            const Long n = lengths[static_cast<std::size_t>(call) % std::size(lengths)], count = 2 + call % 5 * 2;
            std::vector<double> values;
            for (Long k = 0; k < n; ++k) values.push_back(0.1 * static_cast<double>((k * 7 + call) % 11) - 0.5);
            const Array<double> x = from(values);
            const double factor = 0.7 + 0.01 * (call % 3);
            const auto [value, gradient] = compiled(x, count, factor);
            const auto [right_value, right] = expected(x, count, factor);
            CAPTURE(call, n, count, factor);
            CHECK(value.item() == Approx(right_value.item()));
            for (Long k = 0; k < n; ++k) CHECK(gradient(k) == Approx(right(k)).margin(1e-12));
        }
    }
}
