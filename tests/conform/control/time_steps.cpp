// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of stencils, whose steps may be executed several at a time, tile by tile: the bits are those of step by step. Run
// once as they are, and once with SINTER_STEP_TILES, with which small arrays are cut into tiles, too.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

using I = Exp<std::int64_t>;

/// Counts around those of steps at once, and sizes around those of tiles.
const std::int64_t counts[] = {0, 1, 2, 3, 4, 5, 7, 10};
const std::int64_t lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 15, 33, 100, 1000};

template <class Border, class T>
void loops_of_rank_1(Border border) {
    for (std::int64_t n : lengths)
        for (std::int64_t count : counts) {
            CAPTURE(n, count);
            const Array<T> x = from(numbers<T>(n));
            everywhere(for_loop(
                count,
                [=](I, Delayed<T> a) { return stencil([](auto s) { return s(-2) - s(0) * T(3) + s(1); }, border, a); }, x));
        }
}

template <class A, class B>
auto zip_states(const std::tuple<A, B>& states) {
    return zip(std::get<0>(states), std::get<1>(states));
}

}  // namespace

TEMPLATE_TEST_CASE("time steps of every border", "[time_steps]", std::uint8_t, std::int32_t, float, double) {
    using T = TestType;
    loops_of_rank_1<decltype(boundary::clamp), T>(boundary::clamp);
    loops_of_rank_1<decltype(boundary::wrap), T>(boundary::wrap);
    loops_of_rank_1<decltype(boundary::symmetric), T>(boundary::symmetric);
    loops_of_rank_1<decltype(boundary::reflect), T>(boundary::reflect);
    loops_of_rank_1<decltype(boundary::keep), T>(boundary::keep);
    loops_of_rank_1<boundary::Constant<T>, T>(boundary::constant(T(3)));
}

TEST_CASE("time steps of higher ranks", "[time_steps]") {
    auto cross = [](auto s) { return 0.25f * (s(-1, 0) + s(1, 0) + s(0, -1) + s(0, 1)); };
    auto around = [](auto s) { return 0.5f * s(0, 0, 0) + 0.1f * (s(-1, 0, 0) + s(2, 0, 0) + s(0, -1, 1) + s(0, 0, -1)); };
    for (std::int64_t rows : {1, 2, 5, 17, 40})
        for (std::int64_t count : {2, 3, 4, 7}) {
            CAPTURE(rows, count);
            const Array<float, 2> a = from(numbers<float>(rows * 33), shape(rows, 33));
            auto times = [=](auto border) {
                return for_loop(count, [=](I, Delayed<float, 2> x) { return stencil(cross, border, x); }, a);
            };
            everywhere(times(boundary::clamp));
            everywhere(times(boundary::keep));
            everywhere(times(boundary::reflect));
            everywhere(times(boundary::constant(1.f)));
            const Array<float, 3> c = from(numbers<float>(rows * 20), shape(rows, 4, 5));
            everywhere(for_loop(count, [=](I, Delayed<float, 3> x) { return stencil(around, boundary::symmetric, x); }, c));
            everywhere(for_loop(count, [=](I, Delayed<float, 3> x) { return stencil(around, boundary::keep, x); }, c));
        }
}

TEST_CASE("time steps of several states and stages", "[time_steps]") {
    for (std::int64_t n : {1, 2, 3, 9, 50, 1001})
        for (std::int64_t count : {2, 3, 4, 5, 8}) {
            CAPTURE(n, count);
            const Array<float> x = from(numbers<float>(n)), y = from(numbers<float>(n, 2)), c = from(numbers<float>(n, 3));
            using F = Delayed<float>;
            auto near = [](const F& a) { return stencil([](auto s) { return s(-1) + s(1) - s(0); }, boundary::clamp, a); };
            // Leapfrog: a state takes another's place.
            everywhere(zip_states(for_loop(
                count, [=](I, F before, F now) { return std::tuple(now, now * 1.5f - before + near(now) * 0.25f); }, x, y)));
            // One is updated with what the other has become; arrays and the number of the step beside.
            everywhere(zip_states(for_loop(
                count,
                [=](I i, F e, F h) {
                    F e2 = force(e + 0.5f * (h - near(h)) + c * cast<float>(i));
                    return std::tuple(e2, h - 0.5f * near(e2));
                },
                x, y)));
            // Blurred twice, and a state that stays.
            everywhere(
                zip_states(for_loop(count, [=](I, F a, F b) { return std::tuple(near(force(near(a))) + b, b); }, x, y)));
            // Two that change places.
            everywhere(zip_states(for_loop(count, [=](I, F a, F b) { return std::tuple(near(b), near(a)); }, x, y)));
        }
}

TEST_CASE("time steps that update a part of a state", "[time_steps]") {
    using F = Delayed<float>;
    using M = Delayed<float, 2>;
    auto middle = [](const F& a) {
        auto n = size(a);
        return 0.25f * (slice(a, range(0, n - 2)) + slice(a, range(1, n - 1)) + slice(a, range(2, n)));
    };
    auto inner = [](const M& a) {
        auto n = extent(a, 0), m = extent(a, 1);
        auto part = [=](auto rows, auto columns) { return slice(a, rows, columns); };
        auto in = range(1, m - 1);
        return 0.25f * (part(range(0, n - 2), in) + part(range(2, n), in) + part(range(1, n - 1), range(0, m - 2)) +
                        part(range(1, n - 1), range(2, m)));
    };
    for (std::int64_t n : {3, 4, 7, 16, 50, 1001})
        for (std::int64_t count : {2, 3, 5, 8}) {
            CAPTURE(n, count);
            const Array<float> x = from(numbers<float>(n)), y = from(numbers<float>(n, 2));
            everywhere(zip_states(for_loop(
                count,
                [=](I, F a, F b) {
                    F b2 = update(b, range(1, size(b) - 1), middle(a));
                    return std::tuple(update(a, range(1, size(a) - 1), middle(b2)), b2);
                },
                x, y)));
            // Of an array that no step changes; of the state itself; more behind it.
            everywhere(for_loop(count, [=](I, F a) { return update(F(y), range(1, size(a) - 1), middle(a)); }, x));
            everywhere(for_loop(
                count, [=](I i, F a) { return update(a * 0.5f, range(0, size(a) - 2), middle(a) + cast<float>(i)); }, x));
            const Array<float, 2> c = from(numbers<float>(n * 9), shape(n, 9)),
                                  d = from(numbers<float>(n * 9, 3), shape(n, 9));
            auto whole = [=](const M& to, const M& from) {
                return update(to, range(1, extent(to, 0) - 1), range(1, extent(to, 1) - 1), inner(from));
            };
            auto both = for_loop(
                count,
                [=](I, M a, M b) {
                    M b2 = whole(b, a);
                    return std::tuple(whole(a, b2), b2);
                },
                c, d);
            everywhere(zip(std::get<0>(both), std::get<1>(both)));
        }
}

TEST_CASE("time steps that read far", "[time_steps]") {
    for (std::int64_t n : {1, 5, 64, 300}) {
        const Array<float> x = from(numbers<float>(n));
        using F = Delayed<float>;
        auto times = [&](auto step) { everywhere(for_loop(5, step, x)); };
        times([](I, F a) { return stencil([](auto s) { return s(-70) + s(50); }, boundary::clamp, a); });
        times([](I, F a) { return stencil([](auto s) { return s(-70) + s(50); }, boundary::reflect, a); });
        times([](I, F a) { return a * 0.5f + reverse(a); });
        everywhere(for_loop(5, [](I, Delayed<std::int32_t> a) { return a * 3 - sum(a); }, from(numbers<std::int32_t>(n))));
        times([](I, F a) { return map_indexed([=](I i, Exp<float> v) { return v + a(i * i % size(a)); }, a); });
    }
}

TEST_CASE("time steps of large arrays", "[time_steps]") {
    const std::int64_t n = 1500, m = 1100;
    std::vector<float> values(static_cast<std::size_t>(n * m));
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<float>(k * 2654435761u % 1000) * 0.001f;
    const Array<float, 2> a = from(values, shape(n, m));
    auto check = [&](auto border) {
        auto step = [=](Delayed<float, 2> x) {
            return stencil([](auto s) { return 0.2f * (s(0, 0) + s(-1, 0) + s(1, 0) + s(0, -1) + s(0, 1)); }, border, x);
        };
        auto one = compile(step);
        Array<float, 2> expected = a;
        for (int k = 0; k < 7; ++k) expected = one(expected);
        const auto all = for_loop(7, [=](I, Delayed<float, 2> x) { return step(x); }, a);
        for (Target target : targets()) require_same(expected.to_vector(), run(all, {.target = target}).to_vector());
    };
    check(boundary::clamp);
    check(boundary::keep);
    check(boundary::wrap);
}

TEST_CASE("what fails in a time step fails as step by step", "[time_steps]") {
    for (std::int64_t n : {20, 600000}) {
        std::vector<std::int32_t> values(static_cast<std::size_t>(n), 50);
        values[static_cast<std::size_t>(n - 2)] = 3;
        values[0] = 5;
        const Array<std::int32_t> x = from(values);
        // Element 0 is 0 after 5 steps, the last but one after 3.
        auto failing = for_loop(
            10,
            [](I, Delayed<std::int32_t> a) {
                auto less = [](auto s) { return s(0) - 100 / s(0) / (100 / s(0)) + select(s(1) > 999, s(-1), 0); };
                return stencil(less, boundary::clamp, a);
            },
            x);
        std::string expected;
        for (Target target : {Target::interpreter(), Target::host(1), Target::host(2)}) {
            try {
                run(failing, {.target = target});
                FAIL("nothing failed");
            } catch (const DomainError& error) {
                if (expected.empty()) expected = error.what();
                CHECK(expected == error.what());
            }
        }
    }
}

TEST_CASE("many time steps of arrays that fit the caches", "[time_steps]") {
    using V = Delayed<double>;
    auto middle = [](V a) {
        auto n = size(a);
        return 0.33333 * (slice(a, range(0, n - 2)) + slice(a, range(1, n - 1)) + slice(a, range(2, n)));
    };
    auto kept = [](V a, V b) { return stencil([](auto s) { return 0.4 * (s(-1) + s(1)); }, boundary::clamp, a) + 0.1 * b; };
    auto updated = [=](V a, V b) { return update(b, range(1, size(b) - 1), middle(a)); };
    auto check = [](auto half, std::int64_t n, std::int64_t count) {
        CAPTURE(n, count);
        auto both = [=](V a, V b) {
            V next = half(a, b);
            return std::tuple(V(half(next, a)), next);
        };
        auto step = compile(both);
        auto loop = compile([=](V a, V b) { return for_loop(count, [=](I, V a, V b) { return both(a, b); }, a, b); });
        Array<double> x = from(numbers<double>(n)), y = from(numbers<double>(n, 4));
        auto [p, q] = loop(x, y);
        for (std::int64_t k = 0; k < count; ++k) std::tie(x, y) = step(std::move(x), std::move(y));
        require_same(p.to_vector(), x.to_vector());
        require_same(q.to_vector(), y.to_vector());
    };
    for (std::int64_t n : {20'000, 20'001, 33'333}) {
        check(kept, n, 151);
        check(updated, n, 150);
    }
    check(updated, 3000, 1000);
}

// What a call finds out about tiles is remembered for those with the same extents and numbers of iterations, and threads.
TEST_CASE("time steps of calls with other extents and counts in turn", "[time_steps]") {
    using V = Delayed<double>;
    auto step = [](V a) { return stencil([](auto s) { return 0.5 * s(0) + 0.25 * (s(-1) + s(1)); }, boundary::wrap, a); };
    auto loop = [=](V a, I count) { return for_loop(count, [=](I, V a) { return step(a); }, a); };
    auto expected = compile(loop, {.target = Target::interpreter()});
    for (Target target : targets()) {
        auto actual = compile(loop, {.target = target});
        for (std::int64_t n : {9000, 9001, 9000, 3})
            for (std::int64_t count : {60, 61, 2, 60}) {
                CAPTURE(target.number, n, count);
                const Array<double> a = from(numbers<double>(n, static_cast<int>(count)));
                require_same(actual(a, count).to_vector(), expected(a, count).to_vector());
            }
    }
}

TEST_CASE("time steps of states whose extents are equal in some calls only", "[time_steps]") {
    using F = Delayed<float>;
    auto half = [](const F& a, const F& b) {
        return generate(shape(size(a)), [=](I i) {
            return cond(
                i > 0 && i < size(a) - 1, [&] { return 0.25f * (a(i - 1) + a(i) + a(i + 1)); },
                [&] { return cond(i < size(b), [&] { return b(i); }, [&] { return Exp<float>(2.f); }); });
        });
    };
    auto joined = [](const F& a, const F& b) {
        auto n = size(a);
        return concat(concat(take(b, 1), 0.5f * (slice(a, range(0, n - 2)) + slice(a, range(2, n)))), drop(b, size(b) - 1));
    };
    auto steps = [](auto step) {
        return [=](const F& a, const F& b, const Delayed<std::int64_t, 0>& count) {
            auto both = [=](I, const F& x, const F& y) {
                const F z = step(x, y);
                return std::tuple(step(z, x), z);
            };
            auto [x, y] = for_loop(count(), both, a, b);
            return concat(x, y);
        };
    };
    const auto by_index = steps(half);
    const auto by_concat = steps(joined);
    for (std::int64_t n : {2, 9, 1001})
        for (std::int64_t more : {0, 1})
            for (std::int64_t count : {0, 1, 2, 7}) {
                CAPTURE(n, more, count);
                const Array<float> a = run(from(numbers<float>(n))), b = run(from(numbers<float>(n + more, 2)));
                const Array<std::int64_t, 0> steps_wanted = run(fill(shape(), count));
                compiled_everywhere(by_index, a, b, steps_wanted);
                compiled_everywhere(by_concat, a, b, steps_wanted);
            }
}

TEST_CASE("time steps of what has been filtered, and of parts whose lengths follow the step", "[time_steps]") {
    using F = Delayed<float>;
    auto near = [](const F& a) { return stencil([](auto s) { return s(-1) + s(1) - s(0); }, boundary::clamp, a); };
    for (std::int64_t n : {0, 5, 1001})
        for (std::int64_t count : {2, 5}) {
            CAPTURE(n, count);
            const Array<float> a = from(numbers<float>(n));
            const auto positive = filter([](auto v) { return v > 0.f; }, a);
            everywhere(for_loop(count, [=](I, F x) { return near(x); }, positive));
            everywhere(for_loop(count, [=](I i, F x) { return near(x) + cast<float>(i) * positive; }, positive));
            everywhere(
                for_loop(count, [=](I i, F x) { return near(x) + cast<float>(size(drop(x, min(i, size(x))))); }, positive));
            everywhere(for_loop(count, [=](I i, F x) { return drop(near(x), min(i, min(size(x), 2))); }, positive));
        }
}

TEST_CASE("time steps of recurrences along inner axes", "[time_steps]") {
    using F3 = Delayed<float, 3>;
    auto step = [](auto s, auto x, auto y) { return (x - s * 0.5f) / (y * y + 1.5f); };
    for (std::int64_t slices : {1, 2, 5, 9})
        for (std::int64_t count : {2, 3, 7}) {
            CAPTURE(slices, count);
            const Array<float, 3> a =
                from(numbers<float>(slices * 6 * 20), shape(slices, std::int64_t(6), std::int64_t(20)));
            const Array<float, 2> shared = from(numbers<float>(6 * 20, 4), shape(6, 20));
            const auto all = shape(slices, std::int64_t(6), std::int64_t(20));
            auto near = [](auto s) { return s(0, -1, 0) - s(0, 0, 1) + s(0, 1, 0); };
            everywhere(for_loop(
                count,
                [=](I i, F3 x) {
                    F3 weights = broadcast(map([=](auto v) { return v + cast<float>(i); }, shared), all, axes(1, 2));
                    F3 along = recur(step, 1.f, stencil(near, boundary::clamp, x), weights, axis(2));
                    return recur(step, 0.5f, along + x, weights, axis(1), from_right);
                },
                a));
            // Along the axis that tiles are cut along, and next to it.
            everywhere(for_loop(
                count,
                [=](I, F3 x) {
                    F3 along = recur(step, 1.f, x, x, axis(2), from_right);
                    return stencil([](auto s) { return s(0, 0, 0) + 0.5f * s(-1, 0, 0) - 0.25f * s(1, 0, 0); },
                                   boundary::clamp, recur(step, 2.f, along, x, axis(1)));
                },
                a));
            everywhere(for_loop(count, [=](I, F3 x) { return recur(step, 1.f, x * 0.5f, x, axis(0)); }, a));
        }
}
