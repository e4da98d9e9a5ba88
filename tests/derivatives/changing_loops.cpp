// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of loops whose states have another extent after an iteration, and of branches whose sides return different
// extents.
#include "derivatives/support.hpp"

using namespace derivatives;

namespace {

const Long lengths[] = {0, 1, 2, 3, 7, 20};

template <class F>
void check_lengths(F f) {
    for (Long n : lengths) {
        CAPTURE(n);
        check(f, {.n = n});
    }
}

D1 halves(D1 x) {
    auto step = [](D1 s) {
        auto half = size(s) / 2, rest = size(s) - half;
        return concat(take(s, half) * sin(slice(s, range(rest, size(s)))), slice(s, range(half, rest)));
    };
    return while_loop([](D1 s) { return size(s) > 1; }, step, x);
}

D1 doubled(D1 x, Long times) {
    return for_loop(
        times, [](auto i, D1 s) { return concat(s * 0.5, map([=](D0 a) { return a * a + cast<double>(i); }, s)); }, x);
}

}  // namespace

TEST_CASE("derivatives of loops that halve or double a state", "[derivatives][changing]") {
    check_lengths([](D1 x) { return sum(halves(x)); });
    for (Long times : {0, 1, 3}) check_lengths([=](D1 x) { return sum(doubled(x, times) * 0.3); });
}

TEST_CASE("derivatives of loops that filter a state", "[derivatives][changing]") {
    check_lengths([](D1 x) {
        auto step = [&](auto i, D1 s, D0 total) {
            auto kept = filter([=](D0 a) { return a < 0.9 - 0.2 * cast<double>(i); }, s);
            return std::tuple(kept * 1.1, total + sum(kept * kept)());
        };
        auto [s, total] = for_loop(5, step, x, 0.0);
        return total() + sum(s)();
    });
    check_lengths([](D1 x) {  // the last state has to be reduced
        auto step = [](D1 s) { return map([](D0 a) { return a * 0.5 - 0.1; }, filter([](D0 a) { return a > 0.0; }, s)); };
        return sum(while_loop([](D1 s) { return size(s) > 2; }, step, sin(x)));
    });
}

TEST_CASE("derivatives of loops with several states, of which some change", "[derivatives][changing]") {
    check_lengths([](D1 x) {  // they take each other's places; another array is used in every step, a state in none
        auto step = [&](auto i, D1, D1 b, D1 same, Exp<Long> count) {
            auto next = concat(drop(b, min(size(b), count)), same * sum(x)());
            return std::tuple(b, next, same * 0.9 + cast<double>(i) * x, count + 1);
        };
        auto [a, b, same, count] = for_loop(3, step, x, concat(x, x * x), x * 0.5, Long{1});
        return sum(a)() + 2.0 * sum(sin(b))() + sum(same)() * cast<double>(count());
    });
    check_lengths([](D1 x) {  // an integer state that changes and decides what is read
        auto step = [&](auto, Delayed<Long> at, D1 values) {
            auto rest = filter([](Exp<Long> k) { return k % 2 == 0; }, at + 1);
            return std::tuple(rest, concat(values, map([=](Exp<Long> k) { return x(k % size(x)) * 0.7; }, rest)));
        };
        auto [at, values] = for_loop(2, step, iota(size(x)), x * x);
        return sum(values * values)();
    });
}

TEST_CASE("derivatives of matrices that lose rows and columns", "[derivatives][changing]") {
    for (Long rows : {1, 4, 5})
        for (Long columns : {0, 3, 4})
            check(
                [=](D1 x) {
                    auto step = [](auto, D2 m) {
                        auto part = slice(m, range(0, (extent(m, 0) + 1) / 2), range(extent(m, 1) / 3, extent(m, 1)));
                        return transpose(part * 1.5 + part * part);
                    };
                    return sum(flatten(for_loop(3, step, reshape(x, shape(rows, columns)))));
                },
                {.n = rows * columns});
}

TEST_CASE("derivatives of loops in loops whose states change", "[derivatives][changing]") {
    check_lengths([](D1 x) {
        auto inner = [](auto, D1 s) { return concat(s * 0.8, take(sin(s), (size(s) + 1) / 2)); };
        auto outer = [&](auto i, D1 s) { return drop(for_loop(i, inner, s), min(size(s), Exp<Long>(1))) * 1.1; };
        return sum(for_loop(3, outer, x));
    });
    check_lengths([](D1 x) {  // an ordinary loop around one
        auto outer = [](auto, D1 s) { return s * 0.5 + 0.1 * sum(doubled(s, 2))(); };
        return sum(for_loop(3, outer, x));
    });
}

TEST_CASE("derivatives of branches whose sides return different extents", "[derivatives][changing]") {
    check_lengths([](D1 x) {
        return sum(cond(sum(x)() > 0.0, [=] { return take(x, size(x) / 2) * 3.0; }, [=] { return concat(x, x * x); }));
    });
    check_lengths([](D1 x) {
        auto step = [&](auto i, D1 s) {
            return cond(i % 2 == 0, [=] { return concat(s, sin(s)); }, [=] { return take(s, size(s) / 2) * 1.5; });
        };
        return sum(for_loop(3, step, x));
    });
}

TEST_CASE("derivatives of slices whose loops change extents", "[derivatives][changing]") {
    check([](D1 x) { return vmap([](D1 row) { return sum(halves(row))(); }, reshape(x, shape(3, 5))); }, {.n = 15});
    check([](D1 x) { return vmap(grad([](D1 row) { return sum(doubled(row, 2))(); }), reshape(x, shape(3, 2))); }, {.n = 6});
    check(
        [](D1 x) {  // slices end at different sizes
            auto each = [](D1 row) {
                auto shrink = [](D1 s) {
                    return map([](D0 a) { return a * 0.7; }, filter([](D0 a) { return a > 0.1; }, s));
                };
                return sum(while_loop([](D1 s) { return size(s) > 1; }, shrink, row))();
            };
            return vmap(each, reshape(x, shape(4, 5)));
        },
        {.n = 20});
}

TEST_CASE("second derivatives of loops whose states change", "[derivatives][changing]") {
    auto gradient = [](auto f) { return [f](D1 x) { return grad([f](D1 y) { return sum(f(y))(); })(x); }; };
    for (Long n : {1, 4, 5}) {
        check(gradient(halves), {.n = n});
        check(gradient([](D1 x) { return doubled(x, 2) * 0.3; }), {.n = n});
    }
}
