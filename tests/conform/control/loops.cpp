// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops on arrays that end when a condition says so. A device may begin iterations before it is known whether they are
// wanted: nothing of those that are not may be seen.
#include "conform/support.hpp"

#include <tuple>

using namespace sinter;
using conform::everywhere;
using conform::numbers;

namespace {

using Long = std::int64_t;

/// Around the batches 1, 2, 4, .. that a device may take.
const std::vector<Long> counts = {0, 1, 2, 3, 4, 6, 7, 8, 15, 16, 17, 31, 32, 33};

template <class T>
Array<T> some(Long n, int seed = 1) {
    return from(numbers<T>(n, seed));
}

/// `step` of one array, `times` times, as a while loop that counts.
template <class T, int Rank, class F>
auto repeated(Long times, F step, const Array<T, Rank>& x) {
    return std::get<1>(while_loop([=](Exp<Long> i, Delayed<T, Rank>) { return i < times; },
                                  [=](Exp<Long> i, Delayed<T, Rank> v) { return std::tuple(i + 1, step(i, v)); }, Long{0},
                                  x));
}

}  // namespace

TEST_CASE("as many iterations as the condition says", "[loops]") {
    for (Long times : counts) {
        CAPTURE(times);
        auto all = repeated(times, [](Exp<Long> i, Delayed<Long> v) { return v * 3 + i; }, some<Long>(100));
        everywhere(all);
    }
}

TEST_CASE("conditions that are false at once, of arrays of many extents", "[loops]") {
    for (Long n : conform::edge_sizes) {
        CAPTURE(n);
        auto small = while_loop([](Delayed<int> v) { return sum(v)() > 1 << 20; }, [](Delayed<int> v) { return v + v; },
                                some<int>(n));
        everywhere(small);
        auto grown = while_loop([=](Delayed<Long> v) { return sum(v * v)() < 100000 && n > 1; },
                                [](Delayed<Long> v) { return v * 2; }, some<Long>(n));
        everywhere(grown);
    }
}

TEST_CASE("roots by Newton's method, until they change no more", "[loops]") {
    for (double x : {0.25, 2.0, 1e6, 1e300}) {
        CAPTURE(x);
        auto [root, before] =
            while_loop([](Delayed<double, 0> r, Exp<double> old) { return abs(r() - old) > 1e-15 * r(); },
                       [=](Delayed<double, 0> r, Exp<double>) { return std::tuple((r + x / r) * 0.5, r()); },
                       Delayed<double, 0>(fill(shape(), x)), 0.0);
        const double found = everywhere(root).item();
        CHECK(found * found == Approx(x));
        everywhere(before);
    }
}

TEST_CASE("Collatz sequences of many numbers at once", "[loops]") {
    for (Long n : {1, 9, 27, 100}) {
        CAPTURE(n);
        auto [values, steps] = while_loop(
            [](Delayed<Long> v, Delayed<int>) { return max(v)() > 1; },
            [](Delayed<Long> v, Delayed<int> k) {
                auto next = map([](Exp<Long> x) { return select(x == 1, x, select(x % 2 == 0, x / 2, 3 * x + 1)); }, v);
                return std::tuple(next, map([](auto c, auto x) { return c + cast<int>(x > 1); }, k, v));
            },
            iota(n) + 1, fill(shape(n), 0));
        CHECK(everywhere(max(values)).item() == 1);
        if (n >= 27) CHECK(everywhere(steps)(26) == 111);
    }
}

TEST_CASE("states that are swapped, stay, or become one another", "[loops]") {
    const Array<Long> a = some<Long>(50), b = some<Long>(50, 2);
    for (Long times : counts) {
        CAPTURE(times);
        auto going = [=](auto i, auto...) { return i < times; };
        auto [i, x, y] = while_loop(
            going, [](Exp<Long> k, Delayed<Long> p, Delayed<Long> q) { return std::tuple(k + 1, q, p); }, Long{0}, a, b);
        CHECK(everywhere(x).to_vector() == (times % 2 == 0 ? a : b).to_vector());
        everywhere(y);
        auto [j, u, v] = while_loop(
            going, [](Exp<Long> k, Delayed<Long> p, Delayed<Long> q) { return std::tuple(k + 1, p, q + p); }, Long{0}, a, b);
        CHECK(everywhere(u).to_vector() == a.to_vector());
        everywhere(v);
        auto [l, s, t] = while_loop(
            going, [=](Exp<Long> k, Delayed<Long> p, Delayed<Long>) { return std::tuple(k + 1, a, p + k); }, Long{0}, b, b);
        everywhere(s);
        everywhere(t);
    }
}

TEST_CASE("states that are updated in place", "[loops]") {
    for (Long times : counts) {
        CAPTURE(times);
        auto once = [](Exp<Long> i, Delayed<Long> v) { return update(v, index(i * 7 % 40), v(i % 40) + 100); };
        everywhere(repeated(times, once, some<Long>(40)));
        auto add = [](auto p, auto q) { return p + q; };
        auto both = while_loop([=](Exp<Long> i, Delayed<Long>, Delayed<Long>) { return i < times; },
                               [=](Exp<Long> i, Delayed<Long> u, Delayed<Long> v) {
                                   auto at = map([=](Exp<Long> k) { return (k * 3 + i) % 40; }, iota(60));
                                   auto next = scatter(add, u, at, iota(60) + i);
                                   return std::tuple(i + 1, next, v + u);
                               },
                               Long{0}, some<Long>(40), some<Long>(40, 2));
        everywhere(std::get<1>(both));
        everywhere(std::get<2>(both));
    }
}

TEST_CASE("every kind of kernel in the body", "[loops]") {
    auto add = [](auto p, auto q) { return p + q; };
    for (Long n : {5, 1000, 20000})
        for (Long times : {0, 1, 5, 9}) {
            CAPTURE(n, times);
            const Array<Long> x = some<Long>(n);
            auto few = [](Exp<Long> v) { return v & Long{1023}; };
            everywhere(repeated(times, [=](auto, auto v) { return map(few, inclusive_scan(add, v)); }, x));
            everywhere(repeated(
                times, [=](auto i, auto v) { return map([=](Exp<Long> u) { return few(u * 3 + i); }, v) + sum(v)(); }, x));
            everywhere(repeated(
                times,
                [=](auto, auto v) {
                    auto bins = map([](Exp<Long> u) { return u & Long{15}; }, v);
                    return map([=](Exp<Long> u) { return few(u); }, v) + sum(histogram(16, add, Long{0}, bins, v))();
                },
                x));
            everywhere(repeated(
                times,
                [=](auto i, auto v) {
                    auto bins = map([=](Exp<Long> k) { return (k * 7919 + i) % n; }, iota(n));
                    return map(few, histogram(n, add, Long{1}, bins, v));
                },
                x));
        }
}

TEST_CASE("updates in order in the body", "[loops]") {
    auto add = [](auto p, auto q) { return p + q; };
    for (Long n : {700, 20000})
        for (Long bins : {8, 500})
            for (Long times : {0, 1, 6}) {
                CAPTURE(n, bins, times);
                const Array<double> x = some<double>(n);
                auto at = map([=](Exp<Long> k) { return k * 31 % bins; }, iota(n));
                everywhere(repeated(
                    times, [=](auto i, auto v) { return histogram(bins, add, 1.0, at, x) + v * 0.5 + cast<double>(i); },
                    some<double>(bins)));
            }
}

TEST_CASE("matrices in the body", "[loops]") {
    for (Long n : {1, 33})
        for (Long times : {0, 1, 6}) {
            CAPTURE(n, times);
            const Array<int, 2> m = from(numbers<int>(n * n), shape(n, n));
            everywhere(repeated(times, [](auto, auto v) { return transpose(v) + 1; }, m));
            everywhere(
                repeated(times, [](auto, auto v) { return v + transpose(replicate(extent(v, 0), sum(v, axis(1)))); }, m));
            everywhere(repeated(times, [](auto, auto v) { return v + replicate(extent(v, 0), sum(v, axis(0))); }, m));
            everywhere(repeated(
                times,
                [](auto, Delayed<int, 2> v) {
                    auto columns = transpose(v);
                    return vmap(
                        [&](Delayed<int> row) {
                            return vmap([=](Delayed<int> column) { return sum(row * column); }, columns);
                        },
                        v);
                },
                m));
        }
}

TEST_CASE("loops in loops, in branches and in compiled functions", "[loops]") {
    auto up_to = [](Long limit) {
        return [=](Delayed<Long> v) {
            return while_loop([=](Delayed<Long> u) { return sum(u)() < limit; }, [](Delayed<Long> u) { return u + u + 1; },
                              v);
        };
    };
    for (Long n : {1, 10, 300}) {
        CAPTURE(n);
        auto outer = while_loop([](Exp<Long> i, Delayed<Long>) { return i < 5; },
                                [=](Exp<Long> i, Delayed<Long> v) {
                                    return std::tuple(i + 1, up_to(100000)(map([=](auto u) { return u & (i + 7); }, v)));
                                },
                                Long{0}, some<Long>(n));
        everywhere(std::get<1>(outer));
        auto counted = for_loop(
            3, [=](Exp<Long> i, Delayed<Long> v) { return up_to(5000)(map([=](auto u) { return u & (i + 3); }, v)); },
            some<Long>(n));
        everywhere(counted);
        for (bool wanted : {false, true}) {
            auto branch = cond(
                run(fill(shape(), wanted)), [&] { return up_to(1000)(some<Long>(n)); },
                [&] { return Delayed<Long>(some<Long>(n)); });
            everywhere(branch);
        }
    }
    auto f = compile([=](Delayed<Long> v) { return up_to(1 << 20)(v); }, {.target = conform::targets()[0]});
    for (Long n : {3, 3, 3, 100, 3}) CHECK(f(some<Long>(n)).to_vector() == run(up_to(1 << 20)(some<Long>(n))).to_vector());
}

TEST_CASE("conditions that are states, or none of the loop's", "[loops]") {
    for (Long n : {0, 1, 2, 30}) {
        CAPTURE(n);
        auto step = [](Delayed<int> v) {
            auto next = map([](Exp<int> u) { return max(u - 1, 0); }, v);
            return std::pair(next, any(map([](Exp<int> u) { return u > 0; }, next)));
        };
        auto going = [](Delayed<int>, Exp<bool> wanted, auto...) { return wanted; };
        for (bool first : {true, false}) {
            auto [x, changed] = while_loop(
                going,
                [=](Delayed<int> v, Exp<bool>) {
                    auto [next, more] = step(v);
                    return std::tuple(next, more());
                },
                from(std::vector<int>(static_cast<std::size_t>(n), 21)), first);
            everywhere(x);
            CHECK_FALSE(everywhere(changed).item());
            auto [y, last, before, same] = while_loop(
                going,
                [=](Delayed<int> v, Exp<bool> wanted, Exp<bool>, Exp<bool>) {
                    auto [next, more] = step(v);
                    return std::tuple(next, more(), wanted, more());
                },
                some<int>(n), first, false, true);
            everywhere(y);
            everywhere(last);
            CHECK(everywhere(before).item() == first);
            everywhere(same);
        }
        const Array<bool, 0> never = run(fill(shape(), false));
        auto same = while_loop([=](Delayed<int>) { return never(); }, [](Delayed<int> v) { return v + 1; }, some<int>(n));
        CHECK(everywhere(same).to_vector() == some<int>(n).to_vector());
    }
}

TEST_CASE("a check in the body fails in the iteration that is wanted first, and beyond the end not at all", "[loops]") {
    const Array<Long> x = some<Long>(20);
    auto walk = [=](Long times, Long first) {
        return repeated(
            times,
            [=](Exp<Long> i, Delayed<Long> v) {
                auto at = map([=](Exp<Long> k) { return k + max(i - first, Exp<Long>(0)) * (k + 1); }, iota(20));
                return gather(at, v) + 1;
            },
            x);
    };
    for (Long fails : {0, 1, 2, 5, 16, 17, 30}) {
        CAPTURE(fails);
        everywhere(walk(fails + 1, fails));
        for (sinter::Target target : conform::targets()) {
            std::string expected, actual;
            try {
                run(walk(fails + 3, fails), {.target = Target::interpreter()});
            } catch (const IndexError& error) {
                expected = error.what();
            }
            try {
                run(walk(fails + 3, fails), {.target = target});
            } catch (const IndexError& error) {
                actual = error.what();
            }
            CHECK_FALSE(expected.empty());
            CHECK(actual.starts_with(expected));
        }
    }
}

TEST_CASE("what does not change is computed once, before the loop, if there is an iteration", "[loops][one_process]") {
    const Array<Long> x = some<Long>(50), v = some<Long>(50, 2);
    auto at = [=](Long first) { return map([=](Exp<Long> k) { return k % 10 + first; }, iota(50)); };
    auto sums = [=](Long first) { return histogram(10, std::plus<>{}, Long{0}, at(first), x); };
    auto counted = [=](auto times, Long first, Delayed<Long> start) {
        auto known = sums(first);
        return for_loop(
            times,
            [=](Exp<Long>, Delayed<Long> u) { return map([=](auto a, Exp<Long> k) { return a + known(k); }, u, at(0)); },
            start);
    };
    auto asked = [=](Long times, Long first) {
        auto known = sums(first);
        return repeated(times, [=](Exp<Long>, Delayed<Long> u) { return u + gather(at(0), known); }, v);
    };
    for (sinter::Target target : conform::targets()) {
        auto program = compile([=](Delayed<Long> u, Exp<Long> times) { return counted(times, 0, u); }, {.target = target});
        auto failing = compile([=](Delayed<Long> u, Exp<Long> times) { return counted(times, 1, u); }, {.target = target});
        for (Long times : {0, 1, 2, 5, 17}) {
            CAPTURE(times);
            const auto expected = everywhere(counted(times, 0, v)).to_vector();
            CHECK(everywhere(asked(times, 0)).to_vector() == expected);
            CHECK(program(v, times).to_vector() == expected);
            if (times == 0) {
                CHECK(failing(v, times).to_vector() == v.to_vector());
                CHECK(run(counted(times, 1, v), {.target = target}).to_vector() == v.to_vector());
                CHECK(run(asked(times, 1), {.target = target}).to_vector() == v.to_vector());
            } else {
                CHECK_THROWS_AS(failing(v, times), IndexError);
                CHECK_THROWS_AS(run(counted(times, 1, v), {.target = target}), IndexError);
                CHECK_THROWS_AS(run(asked(times, 1), {.target = target}), IndexError);
            }
        }
    }
    for (const std::string& text : {explain(counted(Long{3}, 0, v)).text(), explain(asked(3, 0)).text()}) {
        INFO(text);
        const std::string clusters = text.substr(0, text.find("\nProgram before"));
        CHECK(clusters.find(" scatter at ") < clusters.find("\nBody of"));
        CHECK(clusters.find(" scatter at ") == clusters.rfind(" scatter at "));
    }
}

TEST_CASE("loops and branches that do not change in a loop are executed once, if there is an iteration", "[loops]") {
    const Array<Long> x = some<Long>(40), at = from(std::vector<Long>{3, 1, 0, 2});
    auto nested = [=](auto times, auto inner, Delayed<Long> start, Delayed<bool, 0> flag) {
        auto known = for_loop(inner, [=](Exp<Long> i, Delayed<Long> v) { return inclusive_scan(std::plus<>{}, v) + i; }, x);
        auto chosen = cond(flag, [=] { return gather(at, known); }, [=] { return gather(at + 100, known); });
        return for_loop(times, [=](Exp<Long>, Delayed<Long> u) { return u * 3 + sum(chosen)(); }, start);
    };
    const Array<bool, 0> yes = run(any(x == x)), no = run(any(x != x));
    for (Long times : {0, 1, 5})
        for (Long inner : {0, 1, 6}) {
            CAPTURE(times, inner);
            const auto expected = everywhere(nested(times, inner, x, yes)).to_vector();
            for (sinter::Target target : conform::targets()) {
                auto program = compile(
                    [=](Delayed<Long> u, Exp<Long> t, Exp<Long> i, Delayed<bool, 0> f) { return nested(t, i, u, f); },
                    {.target = target});
                CHECK(program(x, times, inner, yes).to_vector() == expected);
                if (times > 0) CHECK_THROWS_AS(program(x, times, inner, no), IndexError);
                if (times == 0) CHECK(program(x, times, inner, no).to_vector() == x.to_vector());
            }
        }
}

TEST_CASE("several kernels an iteration, on few bytes and on many", "[loops]") {
    for (Long n : {1, 7, 1000, 200'000}) {
        for (Long times : {0, 3, 4, 5, 8}) {
            if (n == 200'000 && times != 0 && times != 5) continue;  // the emulated card takes long
            CAPTURE(n, times);
            const Array<Long> x = some<Long>(n), w = some<Long>(n, 3);
            // A state that is what another was, one that becomes an array from outside, two that are one array.
            auto [a, b, c, d] = for_loop(
                times,
                [=](Exp<Long> i, Delayed<Long> u, Delayed<Long> v, Delayed<Long> fixed, Delayed<Long> last) {
                    auto total = sum(u);
                    auto next = map([=](auto e, auto f) { return e + f * (total() % 3) + i; }, u, v);
                    auto shifted = inclusive_scan(std::plus<>{}, next);
                    return std::tuple(shifted, shifted, fixed, force(map([](auto e) { return e + 1; }, last)));
                },
                x, w, w, x);
            everywhere(a + 2 * b);
            everywhere(c + d);
            auto [e, f, rounds] =
                while_loop([=](Delayed<Long> u, Delayed<Long>, Exp<Long> k) { return k < times && max(u)() > -1'000'000; },
                           [=](Delayed<Long> u, Delayed<Long>, Exp<Long> k) {
                               auto most = max(u);
                               return std::tuple(map([=](auto v) { return most() - v; }, u), w, k + 1);
                           },
                           x, x, Long{0});
            everywhere(e + f);
            everywhere(rounds);
        }
    }
}

TEST_CASE("what is cheaper to make again than to read is made in the loop", "[loops]") {
    const Array<std::uint8_t> narrow = some<std::uint8_t>(1000);
    const Array<Long> x = some<Long>(1000);
    auto wide = cast<Long>(narrow), ones = fill(shape(1000), Long{1});
    auto sums = for_loop(Long{3}, [=](Exp<Long>, Delayed<Long> u) { return u * wide + ones; }, x);
    everywhere(sums);
    auto explanation = explain(sums);
    INFO(explanation.text());
    CHECK(explanation.bytes_moved() < 17'500);  // of one iteration
}

TEST_CASE("a check in the condition, and extents that only an iteration would refuse", "[loops]") {
    const Array<Long> x = some<Long>(10);
    auto until = [=](Long end) {
        return while_loop([=](Exp<Long> i, Delayed<Long> v) { return v(i) > -100 && i < end; },
                          [](Exp<Long> i, Delayed<Long> v) { return std::tuple(i + 1, v + 1); }, Long{0}, x);
    };
    everywhere(std::get<1>(until(9)));
    for (sinter::Target target : conform::targets())
        CHECK_THROWS_AS(run(std::get<1>(until(40)), {.target = target}), IndexError);
    auto refuses = compile(
        [](Delayed<Long> v, Delayed<Long> w, Exp<Long> end) {
            return std::get<1>(while_loop([=](Exp<Long> i, Delayed<Long>) { return i < end; },
                                          [=](Exp<Long> i, Delayed<Long> u) { return std::tuple(i + 1, u + w); }, Long{0},
                                          v));
        },
        {.target = conform::targets()[0]});
    CHECK(refuses(x, x, 3)(1) == 4 * x(1));
    CHECK_THROWS_AS(refuses(x, some<Long>(9), 0), ShapeError);
}

TEST_CASE("loops over arrays without elements", "[loops]") {
    for (Long times : {0, 1, 20}) {
        auto all = repeated(times, [](Exp<Long> i, Delayed<Long> v) { return v + i + sum(v)(); }, some<Long>(0));
        CHECK(everywhere(all).size() == 0);
    }
}
