// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in scalar functions that combine integers exactly, which need not go step by step, beside loops that have to.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;

/// A number made by a loop of `count` steps from the elements of `x`, from the front and from `first` on.
template <class T, class Step>
void fold_everywhere(const Array<T>& x, Long count, T first, Step step) {
    const Delayed<T> values = x;
    everywhere(
        generate(shape(1), [=](I) { return for_loop(I(count), [=](I k, Exp<T> s) { return step(k, s, values); }, first); }));
    everywhere(
        map([=](Exp<T> start) { return for_loop(I(count), [=](I k, Exp<T> s) { return step(k, s, values); }, start); },
            fill(shape(), first)));
}

template <class T>
void fold_numbers() {
    for (Long n : {1, 2, 7, 16, 33, 100, 5000}) {
        const Array<T> x = from(numbers<T>(n));
        const auto at = [](const Delayed<T>& v, I k) { return v(k); };
        fold_everywhere<T>(x, n, T(3), [=](I k, Exp<T> s, Delayed<T> v) { return max(s, at(v, k)); });
        fold_everywhere<T>(x, n, T(3), [=](I k, Exp<T> s, Delayed<T> v) { return min(at(v, k), s); });
        fold_everywhere<T>(x, n, T(1), [=](I k, Exp<T> s, Delayed<T> v) { return s + at(v, k) * at(v, size(v) - 1 - k); });
        fold_everywhere<T>(x, n, T(1), [=](I k, Exp<T> s, Delayed<T> v) { return at(v, k) - s; });
        fold_everywhere<T>(x, n - 1, T(1), [=](I k, Exp<T> s, Delayed<T> v) { return s + at(v, k + 1) - at(v, k); });
        fold_everywhere<T>(x, -n, T(5), [=](I k, Exp<T> s, Delayed<T> v) { return s + at(v, k); });
    }
}

}  // namespace

TEST_CASE("loops that fold numbers", "[loops_that_fold]") {
    fold_numbers<std::int32_t>();
    fold_numbers<Long>();
    fold_numbers<std::uint8_t>();
    fold_numbers<std::int16_t>();
    fold_numbers<float>();
}

TEST_CASE("loops that fold several numbers, and ranges that follow a counter", "[loops_that_fold]") {
    for (Long n : {1, 3, 9, 40}) {
        const Array<Long> x = from(numbers<Long>(n)), y = from(numbers<Long>(n, 4));
        const Delayed<Long> a = x, b = y;
        everywhere(generate(shape(1), [=](I) {
            auto [least, bits, sum] = for_loop(
                size(a),
                [=](I k, I least, I bits, I sum) { return std::tuple(min(least, a(k)), bits ^ b(k), sum + a(k) * b(k)); },
                I(100), I(7), I(0));
            return least * 3 + bits + sum;
        }));
        everywhere(for_loop(
            n,
            [=](I i, Delayed<Long> t) {
                I best = for_loop(i, [=](I k, I s) { return max(s, t(k) + b(i - 1 - k)); }, a(i));
                I odd = for_loop(n - i, [=](I k, I s) { return s * 3 - b(i + k); }, best);
                return update(t, index(i), (best + odd) % 1000);
            },
            a));
    }
}

TEST_CASE("errors in loops that fold", "[loops_that_fold]") {
    const Delayed<Long> a = from(numbers<Long>(10));
    auto beyond = [=](Long first, Long count) {
        return generate(shape(1),
                        [=](I) { return for_loop(I(count), [=](I k, I s) { return max(s, a(k + first)); }, I(0)); });
    };
    for (Target target : targets()) {
        REQUIRE_THROWS_AS(run(beyond(0, 11), {.target = target}), IndexError);
        REQUIRE_THROWS_AS(run(beyond(-1, 5), {.target = target}), IndexError);
        REQUIRE_NOTHROW(run(beyond(-1, 0), {.target = target}));
        REQUIRE_NOTHROW(run(beyond(20, -5), {.target = target}));
    }
}
