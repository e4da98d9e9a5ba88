// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose states overwrite those before them: what is read elsewhere, or afterwards, stays as it is.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

const std::vector<std::int64_t> sizes = {0, 1, 7, 8, 9, 33, 1000, 5000};

/// `step` ten times, from two arrays of each size, on every target.
template <class T, class F>
void each_size(F step) {
    using X = Delayed<T>;
    for (std::int64_t n : sizes) {
        CAPTURE(n);
        auto loop = [&](auto a, auto b) {
            return for_loop(10, [=](Exp<std::int64_t> k, X x, X y) { return step(k, x, y); }, a, b);
        };
        const auto states = loop(from(numbers<T>(n)), from(numbers<T>(n, 5)));
        everywhere(std::get<0>(states) + std::get<1>(states));
    }
}

}  // namespace

#define OVERWRITTEN(name) TEMPLATE_TEST_CASE(name, "[overwritten_states]", std::int32_t, float, double, std::int64_t)

OVERWRITTEN("each state overwrites itself") {
    each_size<TestType>([](auto, auto x, auto v) {
        auto w = v - x;
        return std::tuple(x + w, w);
    });
}

OVERWRITTEN("states are exchanged") {
    each_size<TestType>([](auto, auto x, auto y) { return std::tuple(y + TestType(1), x - TestType(2)); });
}

OVERWRITTEN("a state is read by its neighbours") {
    each_size<TestType>([](auto, auto x, auto y) {
        auto beside = stencil([](auto s) { return s(-1) - s(1); }, boundary::wrap, x);
        return std::tuple(x + y, y - beside);
    });
}

OVERWRITTEN("a state is read by a later step, and by a fold") {
    each_size<TestType>([](auto, auto x, auto y) {
        auto most = max(concat(x, fill(shape(1), TestType(0))));
        auto next = select(x < most, x + TestType(1), x);
        return std::tuple(next, force(y + next) - x);
    });
}

OVERWRITTEN("a state begins at another element, or backwards") {
    each_size<TestType>([](auto, auto x, auto y) { return std::tuple(reverse(x) + y, y + reverse(x)); });
}

OVERWRITTEN("a part of a state is overwritten by what its neighbours were") {
    each_size<TestType>([](auto, auto x, auto y) {
        auto n = size(x);
        auto inner = range(min(n, 1), max(n - 1, min(n, 1)));
        auto count = max(n - 1, min(n, 1)) - min(n, 1);
        auto next = update(x, inner, take(x, count) + drop(x, n - count) - slice(x, inner));
        return std::tuple(next, update(y, inner, slice(y, inner) + take(next, count)));
    });
}

OVERWRITTEN("two results begin as the same state") {
    each_size<TestType>([](auto, auto x, auto y) {
        auto n = size(x);
        auto half = n / 2;
        auto low = update(x, range(0, half), take(x, half) + take(y, half));
        auto high = update(x, range(half, n), drop(x, half) - drop(y, half));
        return std::tuple(low, high);
    });
}

TEST_CASE("states that begin as the same array", "[overwritten_states]") {
    for (std::int64_t n : sizes) {
        CAPTURE(n);
        auto a = from(numbers<float>(n));
        auto states = for_loop(5, [](auto, Delayed<float> x, Delayed<float> y) { return std::tuple(x + 1.f, y * x); }, a, a);
        everywhere(std::get<0>(states) - std::get<1>(states) + a);
    }
}

TEST_CASE("matrices in steps that go through tiles", "[overwritten_states]") {
    for (auto [n, m] : {std::pair{1, 1}, {7, 9}, {64, 33}, {600, 700}}) {
        CAPTURE(n, m);
        auto a = from(numbers<double>(n * m), shape(n, m)), b = from(numbers<double>(n * m, 3), shape(n, m));
        auto step = [](auto, Delayed<double, 2> x, Delayed<double, 2> z) {
            auto left = stencil([](auto s) { return s(0, 0) - s(-1, -1); }, boundary::clamp, z);
            auto next = x - 0.5 * left;
            auto right = stencil([](auto s) { return s(1, 0) - s(0, 1); }, boundary::clamp, next);
            return std::tuple(next, z - 0.25 * right);
        };
        auto states = for_loop(12, step, a, b);
        everywhere(std::get<0>(states) + std::get<1>(states));
    }
}
