// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Updates whose values are made of the array that they update: in place where nothing is read after it was overwritten, from
// a copy where something would be. In loops, where the memory of a state is taken.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

using I = Exp<std::int64_t>;
using X1 = Delayed<std::int64_t>;
using X2 = Delayed<std::int64_t, 2>;

Array<std::int64_t> line(std::int64_t n) { return from(numbers<std::int64_t>(n)); }
Array<std::int64_t, 2> square(std::int64_t n) { return from(numbers<std::int64_t>(n * n), shape(n, n)); }

/// Three steps of `step`, of index and array.
template <class A, class F>
void in_a_loop(const A& a, F step) {
    everywhere(for_loop(3, step, a));
}

}  // namespace

TEST_CASE("a window is made of itself", "[overwrites]") {
    for (std::int64_t n : {8, 9, 33, 1000, 100003}) {
        CAPTURE(n);
        in_a_loop(line(n), [=](I k, X1 x) {
            auto part = range(k + 1, n - 2);
            return update(x, part, slice(x, part) * 3 - k);
        });
        in_a_loop(line(n), [=](I k, X1 x) {
            auto odd = range(k + 1, n, 2);
            return update(x, odd, slice(x, odd) * 3 - 1);
        });
    }
}

TEST_CASE("a window is made of its neighbours", "[overwrites]") {
    for (std::int64_t n : {8, 9, 33, 1000, 100003}) {
        CAPTURE(n);
        auto inside = range(1, n - 1);
        in_a_loop(line(n), [=](I, X1 x) { return update(x, range(1, n), slice(x, range(0, n - 1)) + 1); });
        in_a_loop(line(n), [=](I, X1 x) { return update(x, range(0, n - 1), slice(x, range(1, n)) + 1); });
        in_a_loop(line(n), [=](I, X1 x) { return update(x, range(0, n), slice(x, range(n - 1, -1, -1)) * 3); });
        in_a_loop(line(n), [=](I, X1 x) { return update(x, inside, slice(x, range(0, n - 2)) - slice(x, range(2, n))); });
        in_a_loop(line(n), [=](I, X1 x) {
            return update(x, range(0, n / 2), map([=](I i) { return x(2 * i) - x(i + 1); }, iota(n / 2)));
        });
    }
}

TEST_CASE("a window is made of what lies beside it", "[overwrites]") {
    for (std::int64_t n : {8, 9, 33, 1000}) {
        CAPTURE(n);
        in_a_loop(line(n), [=](I k, X1 x) { return update(x, range(k + 1, n), slice(x, range(k + 1, n)) - x(k)); });
        in_a_loop(line(n), [=](I k, X1 x) { return update(x, range(k, n), slice(x, range(k, n)) - x(k + 1)); });
        in_a_loop(line(n), [=](I, X1 x) { return update(x, range(n / 2, n), slice(x, range(0, n - n / 2)) * 5); });
    }
    for (std::int64_t n : {5, 8, 33, 200}) {
        CAPTURE(n);
        auto eliminated = [=](std::int64_t first) {  // from which row and column on, of k
            return [=](I k, X2 a) {
                auto below = range(k + first, n), here = range(k, k + 1);
                auto rest = n - k - first;
                X1 left = reshape(slice(a, below, here), shape(rest)), top = reshape(slice(a, here, below), shape(rest));
                auto block = slice(a, below, below) * 2 - transpose(replicate(rest, left)) * replicate(rest, top);
                return update(a, below, below, block);
            };
        };
        in_a_loop(square(n), eliminated(1));
        in_a_loop(square(n), eliminated(2));
        in_a_loop(square(n), eliminated(0));  // row and column k are overwritten too
    }
}

TEST_CASE("a window is made of itself in another order", "[overwrites]") {
    for (std::int64_t n : {5, 8, 33, 200}) {
        CAPTURE(n);
        auto part = range(1, n - 1);
        in_a_loop(square(n), [=](I k, X2 a) { return update(a, part, part, transpose(slice(a, part, part)) + k); });
        in_a_loop(square(n), [=](I, X2 a) {
            return update(a, part, part,
                          slice(a, part, part) - replicate(n - 2, reshape(slice(a, range(1, 2), part), shape(n - 2))));
        });
        in_a_loop(square(n), [=](I, X2 a) { return update(a, all, 1, sum(a, axis(1))); });
        in_a_loop(square(n), [=](I, X2 a) {
            X1 row = reshape(slice(a, range(2, 3), all), shape(n)), column = reshape(slice(a, all, range(2, 3)), shape(n));
            return update(a, all, 2, row + column);
        });
    }
}

TEST_CASE("two updates of one array", "[overwrites]") {
    for (std::int64_t n : {8, 33, 1000}) {
        CAPTURE(n);
        in_a_loop(line(n), [=](I, X1 x) {
            auto low = range(0, n / 2), high = range(n / 2, n / 2 * 2);
            return update(update(x, low, slice(x, high) + 1), high, slice(x, low) * 3);  // the old ones
        });
        in_a_loop(line(n), [=](I k, X1 x) {
            auto first = update(x, range(k, k + 1), slice(x, range(k, k + 1)) * 2);
            return update(first, range(k + 1, n), slice(x, range(k + 1, n)) - x(k));
        });
    }
}

TEST_CASE("updates that may come in another order", "[overwrites]") {
    for (std::int64_t n : {5, 8, 33, 200}) {
        CAPTURE(n);
        auto factored = [=](I k, X2 a) {
            auto below = range(k + 1, n), here = range(k, k + 1);
            auto rest = n - k - 1;
            X2 pivot = slice(a, here, here) * 3;
            X1 column = map([=](I x) { return x - a(k, k); }, reshape(slice(a, below, here), shape(rest)));
            X2 block = map_indexed([=](I i, I j, I x) { return select(j <= i, x - column(i) * column(j), x); },
                                   slice(a, below, below));
            a = update(a, here, here, pivot);
            a = update(a, below, k, column);
            return update(a, below, below, block);
        };
        in_a_loop(square(n), factored);
        in_a_loop(square(n), [=](I k, X2 a) {  // after what it reads is overwritten, and between
            a = update(a, k, all, iota<std::int64_t>(n));
            X1 row = reshape(slice(a, range(k, k + 1), all), shape(n));
            a = update(a, k + 1, all, row * 2);
            return update(a, k, all, row + reshape(slice(a, range(k + 1, k + 2), all), shape(n)));
        });
    }
}

TEST_CASE("other readers keep what is overwritten", "[overwrites]") {
    const std::int64_t n = 1000;
    auto both = [=](I k, X1 x, X1 y) {
        auto part = range(k + 1, n);
        return std::tuple(update(x, part, slice(x, part) * 3), update(y, part, slice(x, part)));
    };
    auto [x, y] = for_loop(3, both, line(n), line(n));
    everywhere(zip(x, y));
    Array<std::int64_t> kept = line(n), same = kept;
    kept = run(update(std::move(kept), range(1, n), slice(same, range(0, n - 1))));
    require_same(numbers<std::int64_t>(n), same.to_vector());
    require_same(run(concat(take(same, 1), take(same, n - 1))).to_vector(), kept.to_vector());
}
