// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of which parts are infinite or NaN where they are not used. The part and the mask are in different operations,
// so that an adjoint of 0 arrives where a derivative is infinite.
#include "derivatives/support.hpp"

namespace derivatives {

namespace {

/// `values` where x is above `least`, else 0.
D1 where_above(double least, D1 x, D1 values) {
    return map([=](D0 a, D0 v) { return select(a > least, v, 0.0); }, x, values);
}

D1 times(D1 a, D1 b) {
    return map([](D0 p, D0 q) { return p * q; }, a, b);
}

}  // namespace

TEST_CASE("masked products of what other operations computed", "[derivatives]") {
    check([](D1 x) { return where_above(0, x, times(x, log(x))); });
    check([](D1 x) { return where_above(0, x, times(sin(log(x)), sqrt(x))); });
    check([](D1 x) { return map([](D0 a) { return select(a > 0, sin(log(a)) * a, a); }, x); });
    check([](D1 x) {
        const D1 logs = force(log(x));
        return generate(shape(size(x)), [=](auto i) {
            return cond(x(i) > 0, [&] { return logs(i) * x(i) * x(0); }, [&] { return x(i) * 2.0; });
        });
    });
    check([](D1 x) { return where_above(0.1, x, checkpoint([](D1 y) { return times(y, log(y)); })(x)); });
}

TEST_CASE("masks of products that drop elements", "[derivatives]") {
    auto falling = [](D1 x) { return sort(x, descending); };
    check([=](D1 x) {
        const D1 y = falling(x);
        return slice(times(y, log(y)), range(0, 3));
    });
    check([](D1 x) { return sum(filter([](D0 a) { return !isnan(a); }, times(x, log(x)))); });
    check([=](D1 x) {
        const D1 y = falling(x), z = times(y, log(y));
        return generate(shape(4), [=](auto i) { return z(i / 2) * y(i); });
    });
}

TEST_CASE("masked folds and scans of what is infinite", "[derivatives]") {
    check([](D1 x) {
        const D1 y = sort(x, descending), z = inclusive_scan([](auto p, auto q) { return p * q; }, log(y));
        return where_above(0, y, z);
    });
    check([](D1 x) {
        auto step = [](auto p, auto q) { return p * q + q; };
        const D1 y = sort(x, descending);
        return where_above(0, y, recur(step, D0(0.3), sqrt(y)));
    });
    check([](D1 x) {
        auto powers = [&](auto a) {
            return product(generate(shape(3), [&](auto k) { return log(a + cast<double>(k) * 0.1); }));
        };
        return where_above(0, x, vmap(powers, x));
    });
    check([](D1 x) {
        const D2 outer = generate(shape(size(x), size(x)), [&](auto i, auto j) { return x(i) * x(j); });
        const D1 logs = force(log(x));
        const D1 products = vmap([&](auto row) { return sum(map([](D0 a, D0 b) { return a * b; }, row, logs)); },
                                 map([](D0 a) { return abs(a) + 0.1; }, outer));
        return map([](D0 a) { return select(a > -1e300, a, 0.5); }, products) + x;
    });
}

TEST_CASE("masked loops over arrays", "[derivatives]") {
    check([](D1 x) {
        auto step = [](Exp<Long>, D1 u) { return times(u, log(u)); };
        return where_above(0.8, x, for_loop(2, step, x));
    });
    check([](D1 x) {
        auto step = [&](Exp<Long>, D1 u) {
            const D1 logs = log(x);
            return u + where_above(0, x, times(u, logs));
        };
        return for_loop(3, step, x);
    });
}

TEST_CASE("second derivatives of masked products", "[derivatives]") {
    auto f = [](D1 x) { return sum(where_above(0, x, times(x, times(x, log(x))))); };
    const Array<double> at = from(std::vector<double>{-1, 0, 0.5, 2}), ones = from(std::vector<double>{1, 1, 1, 1});
    for (Target target : targets()) {
        const auto forward = run(hvp(f, primals(at), tangents(ones)), {.target = target}).to_vector();
        const auto reverse = run(grad([=](D1 x) { return sum(grad(f)(x)); })(at), {.target = target}).to_vector();
        for (const auto& v : {forward, reverse}) {
            CHECK(v[0] == 0);
            CHECK(v[1] == 0);
            CHECK(v[2] == Approx(2 * std::log(0.5) + 3));
            CHECK(v[3] == Approx(2 * std::log(2.0) + 3));
        }
    }
}

TEST_CASE("second derivatives of scatters with min and max", "[derivatives]") {
    auto f = [](D1 x) {
        const Array<Long> bins = from(std::vector<Long>{0, 1, 0, -1, 1, 2, 2, 0});
        const D1 values = map([](D0 a) { return a * a * a; }, x);
        const D1 most = histogram(4, [](auto a, auto b) { return max(a, b); }, -0.1, bins, values);
        return sum(map([](D0 a) { return a * a; }, most));
    };
    const std::vector<double> at{0.5, -0.3, 0.7, 2, -0.9, 0.4, 0.4, -0.2};
    const Array<double> x = from(at), ones = from(std::vector<double>(8, 1.0));
    for (Target target : targets()) {
        const auto forward = run(hvp(f, primals(x), tangents(ones)), {.target = target}).to_vector();
        const auto reverse =
            run(grad([=](D1 y) { return sum(hvp(f, primals(y), tangents(ones))); })(x), {.target = target}).to_vector();
        for (std::size_t k = 0; k < at.size(); ++k) {
            const bool chosen = k == 1 || k == 2 || k == 6;  // of equal values, the last
            CHECK(forward[k] == Approx(chosen ? 30 * std::pow(at[k], 4) : 0));
            CHECK(reverse[k] == Approx(chosen ? 120 * std::pow(at[k], 3) : 0));
        }
    }
}

}  // namespace derivatives
