// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that fill a part of an array plane by plane and read what they have filled, or what they have not reached yet:
// compiled as recurrences, where they are such, with the interpreter's results.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;
using X1 = Delayed<Long>;
using X2 = Delayed<Long, 2>;
using A2 = Array<Long, 2>;

/// `f`, compiled, of pairs of arrays everywhere.
template <class A, class B, class F>
void compiled_everywhere(F f, const std::vector<std::pair<A, B>>& arguments) {
    const auto right = compile(f, {.target = Target::interpreter()});
    std::vector<A2> expected;
    for (const auto& [a, b] : arguments) expected.push_back(right(a, b));
    for (Fusion fusion : strategies)
        for (Target target : targets()) {
            const auto compiled = compile(f, {.target = target, .fusion = fusion});
            for (std::size_t k = 0; k < arguments.size(); ++k) {
                CAPTURE(static_cast<int>(fusion), target.number, expected[k].shape());
                require_same(expected[k].to_vector(), A2(compiled(arguments[k].first, arguments[k].second)).to_vector());
            }
        }
}

A2 matrix(Long n, Long m, Long seed = 1) { return sinter::from(numbers<Long>(n * m, seed), shape(n, m)); }

/// `f` of two matrices.
template <class F>
void each_matrix(F f, Long least = 2) {
    std::vector<std::pair<A2, A2>> arguments;
    for (auto [n, m] : std::vector<std::pair<Long, Long>>{{2, 2}, {3, 3}, {4, 9}, {9, 4}, {17, 33}, {40, 18}, {8, 8}})
        if (std::min(n, m) >= least) arguments.emplace_back(matrix(n, m), matrix(n, m, 5));
    compiled_everywhere([=](X2 a, X2 b) { return X2(f(a, b)); }, arguments);
}

/// Line j of the lanes in `in`, along either axis.
auto line(bool rows) {
    return [=](X2 x, auto in, I j) -> X1 { return rows ? X1(slice(x, j, in)) : X1(slice(x, in, j)); };
}
auto with_line(bool rows) {
    return [=](X2 x, auto in, I j, X1 values) -> X2 { return rows ? update(x, j, in, values) : update(x, in, j, values); };
}

}  // namespace

TEST_CASE("lines inside, each from the one before", "[loops_that_fill_parts]") {
    for (bool rows : {true, false})
        each_matrix([=](X2 a, X2 b) {
            const auto at = line(rows);
            const auto with = with_line(rows);
            I n = extent(a, rows ? 1 : 0), steps = extent(a, rows ? 0 : 1) - 2;
            const auto in = range(1, n - 1);
            auto [p, q] = for_loop(
                steps,
                [=](I k, X2 p, X2 q) {
                    I j = k + 1;
                    X1 before = at(p, in, j - 1), other = at(q, in, j - 1);
                    X1 next = at(b, in, j) - before * 2,
                       more = (other - before) * 3 + at(b, range(2, n), j + 1) + cast<Long>(k);
                    return std::tuple(with(p, in, j, next % 1000), with(q, in, j, more % 1000));
                },
                a, b);
            return p * 7 - q;
        });
}

TEST_CASE("lines inside, towards the front, and back again", "[loops_that_fill_parts]") {
    for (bool rows : {true, false})
        each_matrix([=](X2 a, X2 b) {
            const auto at = line(rows);
            const auto with = with_line(rows);
            I n = extent(a, rows ? 1 : 0), m = extent(a, rows ? 0 : 1);
            const auto in = range(0, n - 1);
            auto down = for_loop(
                m - 1,
                [=](I k, X2 p) {
                    I j = m - 2 - k;
                    return with(p, in, j, X1((at(b, in, j) - at(p, in, j + 1)) * 2 % 1000));
                },
                a);
            return for_loop(
                m - 2,
                [=](I k, X2 p) {
                    I j = k + 1;
                    return with(p, in, j, X1((at(down, in, j + 1) - at(p, in, j - 1) * 3) % 1000));
                },
                b);
        });
}

TEST_CASE("lines from several before", "[loops_that_fill_parts]") {
    for (bool rows : {true, false})
        each_matrix(
            [=](X2 a, X2 b) {
                const auto at = line(rows);
                const auto with = with_line(rows);
                I m = extent(a, rows ? 0 : 1);
                return for_loop(
                    m - 3,
                    [=](I k, X2 p) {
                        I j = k + 3;
                        return with(p, all, j, X1((at(p, all, j - 1) * 2 - at(p, all, j - 3) + at(b, all, j - 2)) % 1000));
                    },
                    a);
            },
            4);
}

TEST_CASE("lines that have not been reached", "[loops_that_fill_parts]") {
    for (bool rows : {true, false})
        each_matrix([=](X2 a, X2) {
            const auto at = line(rows);
            const auto with = with_line(rows);
            I n = extent(a, rows ? 1 : 0), steps = extent(a, rows ? 0 : 1) - 2;
            const auto in = range(1, n - 1);
            return for_loop(
                steps,
                [=](I k, X2 p) {
                    I j = k + 1;
                    X1 own = at(p, range(0, n - 2), j) - at(p, range(2, n), j), next = at(p, range(2, n), j + 1);
                    return with(p, in, j, X1((at(p, in, j - 1) * 3 - own + next * 2) % 1000));
                },
                a);
        });
}

TEST_CASE("lines of this step", "[loops_that_fill_parts]") {
    each_matrix([=](X2 a, X2 b) {
        const auto in = range(1, extent(a, 0) - 1);
        auto [p, q, s] = for_loop(
            extent(a, 1) - 1,
            [=](I k, X2 p, X2 q, X1 s) {
                I j = k + 1;
                X2 now = update(p, in, j, X1((slice(p, in, k) - slice(b, in, j) + s) % 1000));
                X1 here = slice(now, in, j), before = slice(now, in, k);
                return std::tuple(now, update(q, in, j, X1(here * 2 - before + slice(q, in, k) % 7)), X1((s + here) % 100));
            },
            a, b, fill(shape(extent(a, 0) - 2), Long(3)));
        const auto last = s;
        return p * 3 + q + sum(last)();
    });
}

TEST_CASE("lines of other lanes are no recurrence", "[loops_that_fill_parts]") {
    for (bool rows : {true, false})
        each_matrix([=](X2 a, X2 b) {
            const auto at = line(rows);
            const auto with = with_line(rows);
            I n = extent(a, rows ? 1 : 0), steps = extent(a, rows ? 0 : 1) - 1;
            return for_loop(
                steps,
                [=](I k, X2 p) {
                    X1 before = at(p, range(1, n), k) - at(p, range(0, n - 1), k);
                    return with(p, range(1, n), k + 1, X1((before * 2 + at(b, range(1, n), k)) % 1000));
                },
                a);
        });
}

TEST_CASE("elements of lines from those before", "[loops_that_fill_parts]") {
    each_matrix([](X2 a, X2 b) {
        return vmap(
            [](X1 x, X1 y) {
                return for_loop(
                    size(x) - 2,
                    [=](I i, X1 out) {
                        I k = i + 2;
                        return update(out, index(k), (out(k - 1) * 3 - out(k - 2) + y(k)) % 1000);
                    },
                    x);
            },
            a, b);
    });
    each_matrix([](X2 a, X2 b) {  // from the first step's own place on
        return vmap(
            [](X1 x, X1 y) {
                return for_loop(
                    size(x), [=](I k, X1 out) { return update(out, index(k), out(max(k - 1, 0)) * 3 - y(k)); }, x);
            },
            a, b);
    });
}

TEST_CASE("lines limited by the first and the last", "[loops_that_fill_parts]") {
    for (bool rows : {true, false})
        for (bool reverse : {true, false})
            each_matrix([=](X2 a, X2 b) {
                const auto at = line(rows);
                const auto with = with_line(rows);
                I m = extent(a, rows ? 0 : 1);
                return for_loop(
                    m,
                    [=](I k, X2 p) {
                        I j = reverse ? m - 1 - k : k;
                        X1 before = reverse ? at(p, all, min(j + 1, m - 1)) : at(p, all, max(j - 1, 0));
                        X1 earlier = reverse ? at(p, all, min(j + 3, m - 1)) : at(p, all, max(j - 3, 0));
                        X1 next = reverse ? at(p, all, max(j - 1, 0)) : at(p, all, min(j + 1, m - 1));
                        X1 up_to = reverse ? at(p, all, max(min(j + 1, m - 1), m - 2)) : at(p, all, min(max(j - 1, 0), 1));
                        return with(p, all, j, X1((before * 3 - earlier + next * 2 + up_to + at(b, all, j)) % 1000));
                    },
                    a);
            });
}

TEST_CASE("lines at fixed places", "[loops_that_fill_parts]") {
    for (bool rows : {true, false})
        for (bool reverse : {true, false})
            each_matrix(
                [=](X2 a, X2 b) {
                    const auto at = line(rows);
                    const auto with = with_line(rows);
                    I n = extent(a, rows ? 1 : 0), m = extent(a, rows ? 0 : 1);
                    const auto in = range(1, n);
                    return for_loop(
                        m - 2,
                        [=](I k, X2 p) {
                            I j = reverse ? m - 2 - k : k + 1;
                            X1 ends = at(p, in, I(0)) * 2 - at(p, in, m - 1);  // never written
                            X1 first = at(p, in, I(1)), last = at(p, in, m - 2), middle = at(p, in, I(2));
                            X1 step = at(p, in, reverse ? I(j + 1) : I(j - 1));
                            X1 limited = at(p, in, reverse ? I(min(j + 2, m - 2)) : I(max(j - 2, 1)));
                            X1 next = ends + first * 3 - last * 5 + middle + step + limited + at(b, in, j);
                            return with(p, in, j, X1(next % 1000));
                        },
                        a);
                },
                3);
}

TEST_CASE("lines at fixed places of other lanes, and after this step, are no states", "[loops_that_fill_parts]") {
    for (bool rows : {true, false})
        each_matrix([=](X2 a, X2 b) {
            const auto at = line(rows);
            const auto with = with_line(rows);
            I n = extent(a, rows ? 1 : 0), m = extent(a, rows ? 0 : 1);
            const auto in = range(1, n);
            auto neighbours = for_loop(
                m,
                [=](I j, X2 p) {
                    X1 other = at(p, range(0, n - 1), I(0)) - at(p, range(0, n - 1), max(j - 1, 0));
                    return with(p, in, j, X1((other * 2 + at(b, in, j)) % 1000));
                },
                a);
            auto after = for_loop(
                m,
                [=](I j, X2 p) {
                    X2 now = with(p, in, j, X1(at(p, in, I(1)) + at(b, in, j)));
                    return with(now, in, j, X1((at(now, in, I(1)) * 3 - at(now, in, I(0))) % 1000));
                },
                a);
            auto halved =
                for_loop(m, [=](I j, X2 p) { return with(p, in, j, X1((at(p, in, j / 2) * 3 - at(b, in, j)) % 1000)); }, a);
            return neighbours * 5 - after * 3 + halved;
        });
}

TEST_CASE("errors of loops that read fixed lines", "[loops_that_fill_parts]") {
    const A2 a = from(numbers<Long>(12), shape(3, 4)), narrow = from(numbers<Long>(6), shape(3, 2));
    auto fixed = [](X2 x) -> X2 {
        return for_loop(extent(x, 1), [=](I k, X2 p) { return update(p, all, k, X1(slice(p, all, I(2)) + 1)); }, x);
    };
    auto too_far = [](X2 x) -> X2 {
        return for_loop(
            extent(x, 1), [=](I k, X2 p) { return update(p, all, k, X1(slice(p, all, min(k + 1, extent(x, 1))) + 1)); }, x);
    };
    auto lane = [](X2 x) -> X2 {
        return vmap(
            [](X1 v) { return for_loop(size(v), [=](I k, X1 p) { return update(p, index(k), p(max(k - 1, -1)) + 1); }, v); },
            x);
    };
    for (Target target : targets()) {
        const auto compiled = compile(fixed, {.target = target});
        REQUIRE(A2(compiled(a)).shape() == a.shape());
        REQUIRE_THROWS_AS(compiled(narrow), Error);
        REQUIRE_THROWS_AS(compile(too_far, {.target = target})(a), Error);
        REQUIRE_THROWS_AS(run(lane(a), {.target = target}), IndexError);
    }
}

TEST_CASE("errors of loops that fill parts", "[loops_that_fill_parts]") {
    const A2 a = from(numbers<Long>(12), shape(3, 4));
    auto before = [](X1 x) {
        return for_loop(size(x), [=](I k, X1 out) { return update(out, index(k), out(k - 1) + 1); }, x);
    };
    auto behind = [](X2 x) -> X2 {
        return for_loop(extent(x, 1), [=](I k, X2 p) { return update(p, all, k + 1, slice(p, all, k)); }, x);
    };
    auto in_front = [](X2 x) -> X2 {
        return for_loop(extent(x, 1), [=](I k, X2 p) { return update(p, all, k, slice(p, all, k - 1)); }, x);
    };
    for (Target target : targets()) {
        REQUIRE_THROWS_AS(run(vmap(before, a), {.target = target}), IndexError);
        REQUIRE_THROWS_AS(compile(behind, {.target = target})(a), Error);
        REQUIRE_THROWS_AS(compile(in_front, {.target = target})(a), Error);
    }
}

TEST_CASE("no steps, and no lanes", "[loops_that_fill_parts]") {
    auto f = [](X2 a, X1 b) -> X2 {
        I steps = size(b);
        return for_loop(
            steps,
            [=](I k, X2 p) { return update(p, all, k + 1, X1(slice(p, all, k) * 2 - fill(shape(extent(p, 0)), b(k)))); }, a);
    };
    std::vector<std::pair<A2, Array<Long>>> arguments;
    for (auto [n, m, steps] :
         std::vector<std::tuple<Long, Long, Long>>{{5, 0, 0}, {5, 1, 0}, {0, 4, 3}, {0, 0, 0}, {5, 4, 3}})
        arguments.emplace_back(matrix(n, m), sinter::from(numbers<Long>(steps, 3)));
    compiled_everywhere(f, arguments);
}
