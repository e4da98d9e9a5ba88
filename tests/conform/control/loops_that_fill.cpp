// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that write one element of an array after another, of each slice of a vmap: compiled as recurrences, where they are
// such, with the interpreter's results.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;
using X0 = Exp<Long>;
using X1 = Delayed<Long>;
using X2 = Delayed<Long, 2>;

struct Extents {
    Long lines, steps;
};
const std::vector<Extents> extents = {{0, 5}, {5, 0},  {1, 1},  {1, 100},   {7, 9},
                                      {8, 8}, {9, 33}, {33, 9}, {1000, 17}, {3, 4099}};

template <class T = Long>
Array<T, 2> lines(Extents e, Long from = 0) {
    return sinter::from(numbers<T>(e.lines * e.steps, from), shape(e.lines, e.steps));
}

/// `f` applied to each line, on every target. The interpreter executes a loop again wherever another one reads it, so the
/// lines are short enough for that.
template <class F>
void each_line(F f, bool all_short = false) {
    for (Extents e : extents) {
        CAPTURE(e.lines, e.steps);
        if (all_short && e.steps > 50) continue;
        everywhere(vmap(f, lines(e), lines(e, 5)));
    }
}

}  // namespace

TEST_CASE("loops fill lines forwards", "[loops_that_fill]") {
    each_line([](X1 x, X1 y) {
        auto step = [=](I k, X1 out, X0 s) {
            auto next = s * 3 + x(k) - y(k);
            return std::tuple(update(out, index(k), next), next);
        };
        return std::get<0>(for_loop(size(x), step, fill(shape(size(x)), Long(0)), Long(1)));
    });
}

TEST_CASE("loops fill lines backwards", "[loops_that_fill]") {
    each_line([](X1 x, X1 y) {
        auto n = size(x);
        auto step = [=](I q, X1 out, X0 s) {
            auto k = n - 1 - q;
            auto next = s * 3 + x(k) - y(q);  // one from the end, one from the start
            return std::tuple(update(out, index(k), next * 2 + k), next);
        };
        return std::get<0>(for_loop(n, step, x, Long(1)));
    });
}

TEST_CASE("a loop back reads what a loop forth has filled", "[loops_that_fill]") {
    each_line(
        [](X1 x, X1 y) {
            auto n = size(x);
            auto forth = [=](I k, X1 a, X1 b, X0 s, X0 t) {
                auto next = s + x(k) * t, other = t - y(k) + s;
                return std::tuple(update(a, index(k), next), update(b, index(k), other), next, other);
            };
            auto none = fill(shape(n), Long(0));
            auto [a, b, s, t] = for_loop(n, forth, none, none, Long(0), Long(1));
            auto back = [=, a = a, b = b](I q, X1 out, X0 s) {
                auto k = n - 1 - q;
                auto here = b(k) - a(k) * s;
                return std::tuple(update(out, index(k), here), here);
            };
            return std::get<0>(for_loop(n, back, none, Long(0)));
        },
        true);
}

TEST_CASE("the last states are used too", "[loops_that_fill]") {
    each_line([](X1 x, X1 y) {
        auto step = [=](I k, X1 out, X0 s, X0 most) {
            auto next = s + x(k);
            return std::tuple(update(out, index(k), next - y(k)), next, max(most, next));
        };
        auto [out, s, most] = for_loop(size(x), step, y, Long(0), Long(-5));
        auto last = s(), largest = most();
        return map([=](X0 v) { return v * 3 + last - largest; }, out);
    });
}

TEST_CASE("neighbours, steps and other elements", "[loops_that_fill]") {
    each_line([](X1 x, X1 y) {
        auto n = size(x);
        auto step = [=](I k, X1 out, X0 s) {
            auto before = x(max(k - 1, 0)), behind = x(min(k + 1, n - 1));
            auto next = select(k % 3 == 0, before - s, behind + s * k) + y(abs(s) % n);
            return std::tuple(update(out, index(k), next % 1000), next % 1000);
        };
        return std::get<0>(for_loop(n, step, x, Long(0)));
    });
}

TEST_CASE("without a state of its own", "[loops_that_fill]") {
    each_line([](X1 x, X1 y) {
        auto step = [=](I k, X1 out) { return update(out, index(size(x) - 1 - k), x(k) * 2 - y(k)); };
        return for_loop(size(x), step, y);
    });
}

TEST_CASE("lines of slices of slices", "[loops_that_fill]") {
    for (Long n : {1, 3, 9})
        for (Long steps : {1, 8, 33}) {
            CAPTURE(n, steps);
            Array<double, 3> a = from(numbers<double>(n * 5 * steps), shape(n, 5, steps));
            auto line = [](Delayed<double> x) {
                auto step = [=](I k, Delayed<double> out, Exp<double> s) {
                    auto next = s * 0.5 + x(k);
                    return std::tuple(update(out, index(k), next), next);
                };
                return std::get<0>(for_loop(size(x), step, x, 0.));
            };
            everywhere(vmap([=](Delayed<double, 2> p) { return vmap(line, p); }, a));
            everywhere(vmap([=](Delayed<double, 2> p) { return vmap(line, transpose(p)); }, a));
        }
}

TEST_CASE("columns of a matrix", "[loops_that_fill]") {
    for (Extents e : extents) {
        CAPTURE(e.lines, e.steps);
        auto a = lines(e);
        auto rows = [=](X2 a) {
            auto step = [=](I k, X2 out, X1 s) {
                auto next = s * 3 + vmap([=](X1 column) { return column(k); }, transpose(a));
                return std::tuple(update(out, k, all, next), next);
            };
            return std::get<0>(for_loop(e.lines, step, a, fill(shape(e.steps), Long(2))));
        };
        everywhere(rows(a));
    }
}

TEST_CASE("loops that fill, and are no recurrences", "[loops_that_fill]") {
    each_line([](X1 x, X1 y) {  // reads what it has filled
        auto step = [=](I k, X1 out) { return update(out, index(k), out(max(k - 1, 0)) + y(k)); };
        return for_loop(size(x), step, x);
    });
    each_line([](X1 x, X1 y) {  // fills a part
        auto step = [=](I k, X1 out, X0 s) { return std::tuple(update(out, index(k), s + y(k)), s + x(k)); };
        return std::get<0>(for_loop(size(x) / 2, step, x, Long(0)));
    });
    each_line([](X1 x, X1 y) {  // fills two arrays from both ends
        auto n = size(x);
        auto step = [=](I k, X1 a, X1 b, X0 s) {
            return std::tuple(update(a, index(k), s), update(b, index(n - 1 - k), s + x(k)), s * 3 + y(k));
        };
        auto [a, b, s] = for_loop(n, step, x, y, Long(0));
        return a - b;
    });
    each_line([](X1 x, X1 y) {  // fills every other place, and some twice
        auto n = size(x);
        auto step = [=](I k, X1 a, X0 s) { return std::tuple(update(a, index(k * 2 % max(n, 1)), s), s * 3 + y(k)); };
        return std::get<0>(for_loop(n, step, x, Long(0)));
    });
}

TEST_CASE("errors in loops that fill", "[loops_that_fill]") {
    auto f = [](X1 x, X1 y) {
        auto step = [=](I k, X1 out, X0 s) { return std::tuple(update(out, index(k), s + x(k + y(0))), s + y(k)); };
        return std::get<0>(for_loop(size(x), step, x, Long(0)));
    };
    Array<Long, 2> a = from(std::vector<Long>{1, 2, 3, 4}, shape(2, 2)),
                   b = from(std::vector<Long>{0, 1, 1, 1}, shape(2, 2));
    for (Target target : targets()) REQUIRE_THROWS_AS(run(vmap(f, a, b), {.target = target}), IndexError);
    REQUIRE_THROWS_AS(run(vmap(f, a, b), {.target = Target::interpreter()}), IndexError);
}

namespace {

using X3 = Delayed<Long, 3>;
using A3 = Array<Long, 3>;

/// Plane by plane, down and up again, with neighbours that are kept within the array: `axis` is that of the planes.
auto sweeps(std::size_t axis) {
    return [=](X3 a, X3 b) {
        auto levels = extent(a, axis), n = extent(a, axis == 0 ? 1 : 0), m = extent(a, axis == 2 ? 1 : 2);
        auto plane = [=](X3 x, I k) -> X2 {
            auto here = range(k, k + 1);
            return reshape(axis == 0   ? slice(x, here, all, all)
                           : axis == 1 ? slice(x, all, here, all)
                                       : slice(x, all, all, here),
                           shape(n, m));
        };
        auto replaced = [=](X3 x, I k, X2 p) -> X3 {
            return axis == 0 ? update(x, k, all, all, p) : axis == 1 ? update(x, all, k, all, p) : update(x, all, all, k, p);
        };
        auto zero = fill(shape(n, m), Long(1));
        auto down = [=](I k, X3 out, X2 s) {
            X2 next = select(k > 0, Long(3), Long(2)) * s + plane(a, min(k + 1, levels - 1)) - plane(b, max(k - 1, 0));
            return std::tuple(replaced(out, k, next), next);
        };
        auto [cs, c] = for_loop(levels, down, a, zero);
        auto up = [=, cs = cs](I q, X3 out, X2 s) {
            auto k = levels - 1 - q;
            X2 next = plane(cs, k) - s * plane(b, k);
            return std::tuple(replaced(out, k, next + 1), next);
        };
        return std::get<0>(for_loop(levels, up, a, zero));
    };
}

/// The compiled function of two arrays everywhere.
template <class F>
void compiled_everywhere(F f, const A3& a, const A3& b) {
    const A3 expected = compile(f, {.target = Target::interpreter()})(a, b);
    for (Fusion fusion : strategies)
        for (Target target : targets()) {
            CAPTURE(static_cast<int>(fusion), target.number);
            const A3 actual = compile(f, {.target = target, .fusion = fusion})(a, b);
            REQUIRE(expected.shape() == actual.shape());
            require_same(expected.to_vector(), actual.to_vector());
        }
}

A3 cube(Long n, Long m, Long k, int seed = 1) { return from(numbers<Long>(n * m * k, seed), shape(n, m, k)); }

}  // namespace

TEST_CASE("loops over planes are recurrences", "[loops_that_fill]") {
    for (std::size_t axis : {0, 1, 2})
        for (auto [n, m, k] :
             {std::tuple<Long, Long, Long>{3, 4, 5}, {1, 1, 1}, {0, 3, 2}, {3, 0, 2}, {3, 2, 0}, {17, 9, 20}, {8, 33, 9}}) {
            CAPTURE(axis, n, m, k);
            compiled_everywhere(sweeps(axis), cube(n, m, k), cube(n, m, k, 5));
        }
}

TEST_CASE("planes between transpositions are taken as they lie", "[loops_that_fill]") {
    auto f = [](X3 a, X3 b) -> X3 {
        return transpose(sweeps(0)(transpose(a, {2, 0, 1}), transpose(b, {2, 0, 1})), {1, 2, 0});
    };
    compiled_everywhere(f, cube(5, 6, 7), cube(5, 6, 7, 3));
    compiled_everywhere(f, cube(1, 30, 1), cube(1, 30, 1, 3));
    const A3 a = cube(9, 8, 17), b = cube(9, 8, 17, 3);
    require_same(A3(compile(f)(a, b)).to_vector(), A3(compile(sweeps(2))(a, b)).to_vector());
}

TEST_CASE("planes of other extents, and with more or fewer levels", "[loops_that_fill]") {
    compiled_everywhere(sweeps(2), cube(4, 6, 5), cube(6, 4, 5));  // reshaped, as the program says
    compiled_everywhere(sweeps(0), cube(5, 4, 6), cube(5, 3, 8));
    compiled_everywhere(sweeps(2), cube(4, 6, 5), cube(4, 6, 9));
    auto step = compile(sweeps(2)), right = compile(sweeps(2), {.target = Target::interpreter()});
    for (Long levels : {5, 9, 4, 0, 5}) {
        CAPTURE(levels);
        const A3 a = cube(4, 6, 5), b = cube(4, 6, levels);
        if (levels < 5)
            REQUIRE_THROWS_AS(step(a, b), ShapeError);
        else
            require_same(A3(step(a, b)).to_vector(), A3(right(a, b)).to_vector());
    }
    CHECK(A3(step(cube(4, 6, 0), cube(4, 6, 0))).size() == 0);
    for (Target target : targets()) {
        REQUIRE_THROWS_AS(compile(sweeps(0), {.target = target})(cube(5, 2, 3), cube(4, 2, 3)), ShapeError);
        REQUIRE_THROWS_AS(compile(sweeps(1), {.target = target})(cube(2, 5, 3), cube(2, 5, 4)), ShapeError);
    }
}
