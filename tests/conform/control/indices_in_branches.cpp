// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices that a condition around them keeps inside an array are not checked; those that it does not keep inside are.
#include "conform/guarded_pages.hpp"
#include "conform/support.hpp"

#include <catch2/catch.hpp>

using namespace sinter;
using conform::compiled_everywhere;
using conform::numbers;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;

/// The elements at either end of memory that can be read.
template <class T, class F>
void at_both_ends(Long n, F f) {
    const auto values = numbers<T>(n);
    const conform::GuardedPages pages(static_cast<std::size_t>(n) * sizeof(T));
    for (const std::span<T> memory : {pages.first<T>(values.size()), pages.last<T>(values.size())}) {
        std::copy(values.begin(), values.end(), memory.begin());
        f(memory);
    }
}

template <class T>
auto inside(const Delayed<T, 1>& a) {
    const I n = size(a);
    return generate(shape(n), [=](I i) {
        return cond(i > 0 && i < n - 1, [&] { return a(i - 1) + a(i) + a(i + 1); }, [&] { return a(i); });
    });
}

/// The same as a nest, from the other side of each condition, and with a distance that only the call knows.
template <class T>
auto nested(const Delayed<T, 1>& a) {
    return generate(shape(size(a)), [=](I i) {
        return cond(
            i <= 1, [&] { return a(i); },
            [&] { return cond(i + 2 >= size(a), [&] { return a(i) + T(1); }, [&] { return a(i - 2) * T(2) + a(i + 2); }); });
    });
}

/// Borders as single points.
template <class T>
auto borders(const Delayed<T, 1>& a) {
    return generate(shape(size(a)), [=](I i) {
        return cond(i == 0 || i == size(a) - 1, [&] { return a(i) + T(2); }, [&] { return a(i - 1) * T(3) - a(i + 1); });
    });
}

template <class T>
auto both_axes(const Delayed<T, 2>& a) {
    const I n = extent(a, 0), m = extent(a, 1);
    return map_indexed(
        [=](I i, I j, Exp<T> e) {
            return cond(
                i > 0 && i < n - 1 && j > 0 && j < m - 1,
                [&] { return a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1); }, [&] { return e; });
        },
        a);
}

}  // namespace

TEMPLATE_TEST_CASE("stencils by indices in branches load nothing beyond their arrays", "[branches]", std::uint8_t,
                   std::int32_t, Long, float, double) {
    for (Long n : {1, 2, 3, 8, 9, 33, 130, 1000})
        at_both_ends<TestType>(n, [&](std::span<TestType> memory) {
            CAPTURE(n);
            const Array<TestType> a = borrow(memory, shape(n));
            compiled_everywhere([](Delayed<TestType, 1> x) { return inside(x); }, a);
            compiled_everywhere([](Delayed<TestType, 1> x) { return nested(x); }, a);
            compiled_everywhere([](Delayed<TestType, 1> x) { return borders(x); }, a);
        });
    for (auto [n, m] : {std::pair<Long, Long>{1, 1}, {2, 5}, {3, 3}, {5, 8}, {17, 33}, {40, 9}})
        at_both_ends<TestType>(n * m, [&, n = n, m = m](std::span<TestType> memory) {
            CAPTURE(n, m);
            const Array<TestType, 2> a = borrow(memory, shape(n, m));
            compiled_everywhere([](Delayed<TestType, 2> x) { return both_axes(x); }, a);
        });
}

TEST_CASE("periodic and clamped indices in branches, and one beside the other", "[branches]") {
    using Matrix = Delayed<Long, 2>;
    for (auto [n, m] : {std::pair<Long, Long>{0, 3}, {3, 0}, {1, 1}, {2, 5}, {3, 3}, {5, 8}, {17, 33}, {40, 9}})
        at_both_ends<Long>(n * m, [&, n = n, m = m](std::span<Long> memory) {
            CAPTURE(n, m);
            const Array<Long, 2> a = borrow(memory, shape(n, m));
            const auto each = [&](auto f) {
                compiled_everywhere(
                    [=](Matrix p) {
                        const I n = extent(p, 0), m = extent(p, 1);
                        return generate(shape(n, m), [=](I i, I j) { return f(p, n, m, i, j); });
                    },
                    a);
            };
            each([](Matrix p, I n, I m, I i, I j) {
                return cond(
                    i > 0 && i < n - 1, [&] { return p(i, (j + 1) % m) - p(i, (j + m - 1) % m); }, [&] { return p(i, j); });
            });
            each([](Matrix p, I n, I m, I i, I j) {
                return cond(
                    j % 2 == 0, [&] { return p(max(i - 1, 0), (j + 1) % m) * 3; },
                    [&] { return p(min(i + 1, n - 1), (j + m - 1) % m); });
            });
            each([](Matrix p, I n, I m, I i, I j) {
                return p(max(i - 1, 0), (j + 1) % m) * 3 - p((i + 2) % n, min(j + 1, m - 1)) + p(i, max(j - 2, 0));
            });
        });
}

TEST_CASE("indices of loops in branches load nothing beyond their arrays", "[branches]") {
    for (Long n : {1, 2, 3, 8, 17, 100})
        at_both_ends<Long>(n, [&](std::span<Long> memory) {
            CAPTURE(n);
            const Array<Long> a = borrow(memory, shape(n));
            auto differences = [](Delayed<Long, 1> x) {
                return generate(shape(size(x)), [=](I i) {
                    auto step = [=](I k, Exp<Long> t) {
                        return t + cond(k > 0, [&] { return x(k) - x(k - 1); }, [&] { return x(i); });
                    };
                    return for_loop(i + 1, step, Long(0));
                });
            };
            compiled_everywhere(differences, a);
            auto neighbours = [](Delayed<Long, 1> x) {
                auto step = [=](I, Delayed<Long, 1> y) { return inside(y) - nested(y); };
                return for_loop(5, step, x);
            };
            compiled_everywhere(neighbours, a);
            auto from_data = [](Delayed<Long, 1> x) {
                return map(
                    [=](Exp<Long> v) {
                        return cond(v > 0 && v < size(x) - 1, [&] { return x(v - 1) - x(v + 1); }, [&] { return v; });
                    },
                    x);
            };
            compiled_everywhere(from_data, a);
        });
}

TEST_CASE("indices that a branch does not keep inside are reported", "[branches][errors]") {
    const Array<Long> a = run(from(std::vector<Long>{0, 1, 2, 3, 4, 5, 6, std::numeric_limits<Long>::max()}));
    const Delayed<Long, 1> x = a;
    for (Target target : conform::targets()) {
        auto fails = [&](const auto& body) { CHECK_THROWS_AS(run(map_indexed(body, x), {.target = target}), IndexError); };
        auto zero = [] { return Exp<Long>(0); };
        fails([&](I i, Exp<Long>) { return cond(i > 0, [&] { return x(i - 2); }, zero); });
        fails([&](I i, Exp<Long>) { return cond(i < size(x) - 1, [&] { return x(i + 2); }, zero); });
        fails([&](I i, Exp<Long>) { return cond(i > 0 || i < 3, [&] { return x(i - 1); }, zero); });
        fails([&](I i, Exp<Long>) { return cond(i > 3, zero, [&] { return x(i - 1); }); });
        fails([&](I i, Exp<Long>) { return cond(i == 1, zero, [&] { return x(i - 1); }); });
        fails([&](I i, Exp<Long>) { return cond(i == size(x) - 2, zero, [&] { return x(i + 1); }); });
        // v + 1 wraps around for the last element, and is below the extent
        fails([&](I, Exp<Long> v) { return cond(v >= 0 && v + 1 < size(x), [&] { return x(v); }, zero); });
        CHECK_NOTHROW(run(map_indexed([&](I i, Exp<Long>) { return cond(i > 1, [&] { return x(i - 2); }, zero); }, x),
                          {.target = target}));
    }
}
