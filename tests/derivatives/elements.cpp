// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that are read at constant indices: reverse mode knows their places, and puts what they get there at once.
#include "derivatives/support.hpp"

namespace derivatives {

TEST_CASE("derivatives by elements with constant indices", "[derivatives]") {
    check([](D1 x) { return x(0) * x(1); });
    check([](D1 x) { return x(1) * x(1) * x(0) + sin(x(1)); });
    check([](D1 x) { return sum(x * x) * x(2) + x(0); });
    check([](D1 x) { return map([=](D0 v) { return v * x(2) * x(0); }, x); });
}

// More than one map puts in its places.
TEST_CASE("derivatives by many elements with constant indices", "[derivatives]") {
    check([](D1 x) {
        const D1 wide = generate(shape(40), [=](Exp<Long> i) { return x(i % size(x)) + 0.01 * cast<double>(i); });
        D0 product = wide(0);
        for (Long k = 1; k < 40; ++k) product = product * (1.0 + 0.1 * wide(k));
        return product;
    });
}

TEST_CASE("derivatives by rows and columns with constant indices", "[derivatives]") {
    const auto table = [](D1 x) { return generate(shape(3, 2), [=](Exp<Long> i, Exp<Long> j) { return x(i) * x(j + 1); }); };
    check([=](D1 x) {
        const D2 t = table(x);
        return vmap([](D1 row) { return row(0) * row(0) + row(1); }, t);
    });
    check([=](D1 x) {
        const D2 t = table(x);
        return sum(row(t, 1) * column(t, 0)(0)) + sum(column(t, 1)) * t(2, 1) + t(1, 0);
    });
}

// What is read in a loop, where the adjoint is a state of the reverse loop, and before and behind it.
TEST_CASE("derivatives by elements with constant indices around loops", "[derivatives]") {
    check([](D1 x) {
        const D0 before = x(0) * x(1);
        auto step = [=](Exp<Long> k, D1 state) { return state * x(1) + x(2) * cast<double>(k); };
        const D1 after = for_loop(Exp<Long>(3), step, x);
        return sum(after * after) * before + x(0) + after(1);
    });
    check([](D1 x) {
        auto step = [](Exp<Long>, D1 state) {
            const D0 first = state(0), last = state(2);
            return map([=](D0 v) { return v * first + 0.1 * last; }, state);
        };
        return for_loop(Exp<Long>(4), step, x);
    });
    check([](D1 x) { return cond(x(0) > 0.0, [=] { return x(0) * x(1) * sum(x); }, [=] { return x(1) + x(2); }); });
}

// Two outputs for each row: folds over the two in rows of two points.
TEST_CASE("Jacobians of rows with few results", "[derivatives]") {
    auto rotated = [](D1 o) {
        const D0 c = cos(o(0)), s = sin(o(0)), scale = exp(o(3));
        const D0 x = scale * (c * o(1) - s * o(2)), y = scale * (s * o(1) + c * o(2));
        return generate(shape(2), [=](Exp<Long> k) { return select(k == 0, x, y); });
    };
    for (Long n : {1, 3, 8, 100}) {
        const std::vector<double> at = scattered(4 * n, -1, 1);
        std::vector<double> expected;
        for (Long i = 0; i < n; ++i) {
            const double *o = &at[static_cast<std::size_t>(4 * i)], c = std::cos(o[0]), s = std::sin(o[0]),
                         e = std::exp(o[3]);
            const double x = e * (c * o[1] - s * o[2]), y = e * (s * o[1] + c * o[2]);
            for (double slope : {-y, e * c, -e * s, x, x, e * s, e * c, y}) expected.push_back(slope);
        }
        auto jacobians = [=](D2 rows) { return vmap([=](D1 o) { return jacrev(rotated)(o); }, rows); };
        for (Target target : targets()) {
            const Array<double, 3> made = run(jacobians(from(at, shape(n, 4))), {.target = target});
            const std::vector<double> all = made.to_vector();
            REQUIRE(all.size() == expected.size());
            for (std::size_t k = 0; k < all.size(); ++k) CHECK(all[k] == Approx(expected[k]).margin(1e-14));
        }
    }
}

// A sum over elements needs none of them for its derivative, which fails all the same where the function does: only reads in
// a branch that is not taken may have no place.
TEST_CASE("derivatives by elements that do not exist", "[derivatives]") {
    auto all = [](D1 x, Delayed<Long> at) { return sum(map([=](Exp<Long> i) { return x(i); }, at)); };
    auto some = [](D1 x, Delayed<Long> at) {
        return sum(map([=](Exp<Long> i) { return cond(i >= 0, [=] { return x(i); }, [] { return D0(0.0); }); }, at));
    };
    const Array<double> x = from(std::vector<double>{1, 2, 3});
    for (const Target& target : conform::targets()) {
        for (const Long bad : {-1, 3}) {
            const Array<Long> at = from(std::vector<Long>{0, bad, 1});
            CHECK_THROWS_AS(run(grad(all)(x, at), {.target = target}), IndexError);
        }
        const Array<Long> at = from(std::vector<Long>{0, -1, 1, 1});
        CHECK(run(grad(some)(x, at), {.target = target}).to_vector() == std::vector<double>{1, 2, 0});
    }
}

// Views that are the same in every iteration have adjoints of their own. Some are views of each other, some of what changes.
TEST_CASE("derivatives by views in loops", "[derivatives]") {
    for (Long steps : {0, 1, 4}) {
        check([=](D1 x) {
            const D2 table = generate(shape(3, 4), [=](Exp<Long> i, Exp<Long> j) { return x(i) * x(j + 2); });
            auto step = [=](Exp<Long> k, D1 state) {
                const D1 first = row(table, 0), last = column(transpose(table), 2), every = slice(x, range(0, 8, 2));
                const D1 moving = slice(x, range(k, k + 4)), own = slice(state, range(0, 2));
                return state * first + 0.1 * last * every + 0.2 * moving + 0.3 * concat(own, own);
            };
            return for_loop(Exp<Long>(steps), step, slice(x, range(0, 4)));
        });
        check([=](D1 x) {
            auto outer = [=](Exp<Long>, D1 state) {
                auto inner = [=](Exp<Long>, D1 s) { return s * slice(x, range(1, 4)) + slice(state, range(0, 3)); };
                return for_loop(Exp<Long>(2), inner, state) + slice(x, range(2, 5));
            };
            return for_loop(Exp<Long>(steps), outer, slice(x, range(0, 3)));
        });
    }
}

}  // namespace derivatives
