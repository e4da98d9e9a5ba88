// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect and debug_print inside functions: the same errors and lines on every target.
#include "conform/support.hpp"

#include <string>

using namespace sinter;

namespace {

std::vector<Target> all_targets() {
    std::vector<Target> all = conform::targets();
    all.push_back(Target::interpreter());
    return all;
}

/// The message of the ExpectationError that the expression throws, which names `line`; it is the same on all targets.
template <class E>
std::string message_of(const E& expression, unsigned line) {
    std::string message;
    for (const Target& target : all_targets())
        for (Fusion fusion : conform::strategies) {
            try {
                run(expression, {.target = target, .fusion = fusion});
                FAIL("no error");
            } catch (const ExpectationError& error) {
                CHECK(error.kind() == ErrorKind::expectation);
                CHECK(error.where().line() == line);
                CHECK(std::string(error.where().file_name()).find("debug.cpp") != std::string::npos);
                if (message.empty()) message = error.what();
                CHECK(message == error.what());
            }
        }
    return message;
}

/// The end of the message on compiled targets, without the place: the interpreter executes slice after slice.
template <class E>
std::string lifted_message_of(const E& expression, unsigned line) {
    std::string text;
    for (const Target& target : conform::targets()) {
        try {
            run(expression, {.target = target});
            FAIL("no error");
        } catch (const ExpectationError& error) {
            CHECK(error.where().line() == line);
            text = error.what();
        }
    }
    CHECK_THROWS_AS(run(expression, {.target = Target::interpreter()}), ExpectationError);
    const std::size_t begin = text.find("at element");
    return text.substr(begin, text.rfind(" (") - begin);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// What is printed, without the place that begins each line.
template <class E>
std::vector<std::string> lines_of(const E& expression, const Target& target) {
    std::vector<std::string> lines;
    run(expression, {.target = target, .debug = [&](std::string_view line) {
                         const std::size_t place = line.find(": ");
                         lines.emplace_back(place == line.npos ? line : line.substr(place + 2));
                     }});
    return lines;
}

}  // namespace

TEST_CASE("an expectation that fails names its text, its line and the element", "[debug]") {
    for (std::int64_t n : {8, 33, 1000, 100003}) {
        Array<float> a = run(map([](auto i) { return select(i == 5, -1.f, cast<float>(i)); }, iota(n)));
        const unsigned line = __LINE__ + 3;
        auto roots = map(
            [](auto x) {
                expect(x >= 0.f, "a root of what is not negative");
                return sqrt(x);
            },
            a);
        const std::string message = message_of(roots, line);
        CAPTURE(message);
        CHECK(contains(message, "map: expectation failed at element 5: a root of what is not negative"));
        CHECK(contains(message_of(sum(roots), line), "at element 5: "));
        CHECK(contains(message_of(drop(roots, 2) + 1.f, line), "at element 5: "));
        CHECK(run(sum(a)).item() > 0);
    }
}

TEST_CASE("an expectation that holds changes nothing", "[debug]") {
    for (std::int64_t n : conform::edge_sizes) {
        auto numbers = iota(n);
        auto checked = map(
            [](auto i) {
                expect(i >= 0, "an index");
                expect(i < 1000000, "an index");
                return std::tuple(i * 2, cast<float>(i));
            },
            numbers);
        auto [doubled, same] = unzip(checked);
        conform::everywhere(doubled);
        auto plain = map([](auto i) { return cast<float>(i); }, numbers);
        CHECK(conform::everywhere(same).to_vector() == run(plain).to_vector());
    }
}

TEST_CASE("elements of higher rank are named by their indices", "[debug]") {
    auto product = generate(shape(7, 9), [](auto i, auto j) { return expect(i * 10 + j != 35, "not this one", i * j); });
    CHECK(contains(message_of(product, __LINE__ - 1), "generate: expectation failed at element (3, 5): not this one"));
    CHECK(contains(message_of(sum(transpose(product)), __LINE__ - 2), "at element (3, 5): "));
    Array<int, 3> cube = run(reshape(cast<int>(iota(2 * 3 * 4)), shape(2, 3, 4)));
    auto small = map([](auto x) { return expect(x != 23, "small", x); }, cube);
    CHECK(contains(message_of(small, __LINE__ - 1), "(1, 2, 3): small"));
    auto near = stencil([](auto s) { return expect(s(0) < 2 || s(-1) != 2, "near", s(1)); }, boundary::clamp,
                        from(std::vector<int>{0, 1, 2, 3, 4}));
    CHECK(contains(message_of(near, __LINE__ - 2), "stencil: expectation failed at element 3: near"));
}

TEST_CASE("an expectation comes before what relies on it", "[debug]") {
    Array<float> table = from({1.f, 2.f, 3.f});
    Array<std::int64_t> index = from(std::vector<std::int64_t>{0, 2, 3});
    auto read = map(
        [&](auto i) {
            expect(i < 3, "inside the table");
            return table(i);
        },
        index);
    CHECK(contains(message_of(read, __LINE__ - 4), "at element 2: inside the table"));
}

TEST_CASE("expectations in blocks are checked where these are executed", "[debug]") {
    Array<int> a = from({4, -3, 7});
    auto guarded = map(
        [](auto x) {
            return cond(
                x > 0,
                [&] {
                    expect(x != 7, "not seven");
                    return x;
                },
                [] { return Exp<int>(0); });
        },
        a);
    CHECK(contains(message_of(guarded, __LINE__ - 6), "at element 2: not seven"));
    auto counted = map(
        [](auto x) {
            return for_loop(
                x,
                [](auto i, auto s) {
                    expect(i < 6, "few steps");
                    return s + 1;
                },
                0);
        },
        a);
    CHECK(contains(message_of(counted, __LINE__ - 6), "at element 2: few steps"));
    auto total = fold([](auto x, auto y) { return expect(x < 100, "a small sum", x + y); }, 0, iota(1000));
    CHECK(contains(message_of(total, __LINE__ - 1), "fold: expectation failed: a small sum"));
}

TEST_CASE("the first iteration of a loop over arrays that fails names its first element", "[debug]") {
    using A = Delayed<float>;
    using I = Exp<std::int64_t>;
    std::vector<float> values(100, 1.f);
    values[3] = 6.f, values[70] = values[90] = 9.f;
    const Array<float> a = from(values);
    auto grow = [](auto v) { return expect(v < 10.f, "small", v + 1.f); };
    CHECK(contains(message_of(for_loop(9, [&](I, A s) { return map(grow, s); }, a), 166), "at element 70: small"));
    CHECK(contains(message_of(for_loop(
                                  9,
                                  [](I, A s) {
                                      auto next = [](auto f) {
                                          return expect(f(0) < 10.f, "small", f(0) + f(-1) * 0.f + 1.f);
                                      };
                                      return stencil(next, boundary::clamp, s);
                                  },
                                  a),
                              168),
                   "at element 70: small"));
    auto two = for_loop(
        9,
        [&](I, A s, A t) {
            auto both = [](auto v, auto w) { return std::tuple(v + w, expect(w < 10.f, "low", w + 1.f)); };
            auto made = map(both, s, t);
            return std::tuple(get<0>(made), get<1>(made));
        },
        a * 0.f, a);
    CHECK(contains(message_of(std::get<0>(two) + std::get<1>(two), 182), "at element 70: low"));
}

TEST_CASE("expectations of arrays and of programs", "[debug]") {
    Array<float> a = from({1.f, -2.f, 3.f});
    auto positive = expect(a > 0.f, "positive", a);
    CHECK(contains(message_of(positive, __LINE__ - 1), "expect: expectation failed at element 1: positive"));
    CHECK(conform::everywhere(expect(a < 4.f, "small", a)).to_vector() == a.to_vector());
    for (const Target& target : all_targets()) {
        auto step =
            compile([](Delayed<float> x, Exp<float> dt) { return x * expect(dt > 0.f, "dt > 0", dt); }, {.target = target});
        CHECK(step(a, 2.f)(1) == -4.f);
        CHECK_THROWS_AS(step(a, -1.f), ExpectationError);
        CHECK(step(a, 3.f)(0) == 3.f);
    }
    CHECK_THROWS_AS(compile([](Delayed<float> x, Exp<float> dt) {
                        expect(dt > 0.f, "dt > 0");
                        return x * dt;
                    }),
                    UsageError);
}

TEST_CASE("inside vmap the first indices are those of the slices", "[debug]") {
    Array<float, 2> m = run(reshape(cast<float>(iota(12)), shape(3, 4)));
    auto no_six = [](auto x) { return expect(x != 6.f, "no six", x); };
    auto rows = vmap([=](Delayed<float> row) { return map(no_six, row); }, m);
    CHECK(lifted_message_of(rows, __LINE__ - 2) == "at element (1, 2): no six");
    Array<float, 3> cube = run(reshape(m, shape(1, 3, 4)));
    auto slices = vmap([=](Delayed<float, 2> slice) { return map(no_six, slice); }, cube);
    CHECK(lifted_message_of(slices, __LINE__ - 5) == "at element (0, 1, 2): no six");
    auto nested = vmap([=](auto slice) { return vmap([=](auto row) { return sum(map(no_six, row)); }, slice); }, cube);
    CHECK(lifted_message_of(nested, __LINE__ - 7) == "at element (0, 1, 2): no six");
    auto numbers = vmap([=](Exp<float> x) { return no_six(x); }, row(m, 1));
    CHECK(lifted_message_of(numbers, __LINE__ - 9) == "at element 2: no six");
}

TEST_CASE("in slices of different lengths, too", "[debug]") {
    using I = Exp<std::int64_t>;
    const auto lengths = from(std::vector<std::int64_t>{3, 0, 9, 5, 9});
    auto no_six = [](auto x) { return expect(x != 6, "no six", x * 2); };
    auto rows = vmap([&](I n) { return sum(map(no_six, sort(iota(n))))(); }, lengths);
    CHECK(lifted_message_of(rows, __LINE__ - 2) == "at element (2, 6): no six");
    CHECK(conform::everywhere(vmap([&](I n) { return sum(map(no_six, iota(min(n, 6))))(); }, lengths))(2) == 30);
}

TEST_CASE("expectations have derivatives", "[debug]") {
    auto f = [](Delayed<double> x) { return sum(map([](auto v) { return expect(v > 0., "positive", v * v); }, x)); };
    Array<double> x = from({1., 2., 3.});
    CHECK(run(grad(f)(x)).to_vector() == std::vector<double>{2, 4, 6});
}

TEST_CASE("debug_print prints a line for each element", "[debug]") {
    Array<float> a = from({0.5f, 1.f, 1.5f, 2.f, 2.5f, 3.f, 3.5f, 4.f, 4.5f});
    auto printed = map(
        [](auto x) {
            debug_print("x = {}, {}", x, x > 2.f);
            return x + 1.f;
        },
        a);
    const std::vector<std::string> expected = {"[0] x = 0.5, false", "[1] x = 1, false",  "[2] x = 1.5, false",
                                               "[3] x = 2, false",   "[4] x = 2.5, true", "[5] x = 3, true",
                                               "[6] x = 3.5, true",  "[7] x = 4, true",   "[8] x = 4.5, true"};
    for (const Target& target : all_targets()) {
        CHECK(lines_of(printed, target) == expected);
        CHECK(lines_of(sum(printed), target) == expected);
        CHECK(run(printed, {.target = target, .debug = [](auto) {}}).to_vector() == run(a + 1.f).to_vector());
    }
}

TEST_CASE("debug_print of every type, rank and block", "[debug]") {
    auto types = map(
        [](auto i) {
            debug_print("{} {} {} {:.2f} {}", cast<std::int8_t>(-1 - i), cast<std::uint64_t>(i - 1), i == 1,
                        cast<double>(i) / 3., cast<half>(i));
            return i;
        },
        iota(2));
    auto matrix = generate(shape(2, 2), [](auto i, auto j) {
        debug_print("{}", i - j);
        return i;
    });
    auto some = map(
        [](auto i) {
            return cond(
                i % 50 == 7,
                [&] {
                    debug_print("i");
                    return i;
                },
                [&] { return -i; });
        },
        iota(120));
    for (const Target& target : all_targets()) {
        CHECK(lines_of(types, target) ==
              std::vector<std::string>{"[0] -1 18446744073709551615 false 0.00 0", "[1] -2 0 true 0.33 1"});
        CHECK(lines_of(matrix, target) == std::vector<std::string>{"[(0, 0)] 0", "[(0, 1)] -1", "[(1, 0)] 1", "[(1, 1)] 0"});
        CHECK(lines_of(some, target) == std::vector<std::string>{"[7] i", "[57] i", "[107] i"});
    }
}

TEST_CASE("compiled programs keep the first thousand lines", "[debug]") {
    auto many = map(
        [](auto i) {
            debug_print("{}", i);
            return i;
        },
        iota(100000));
    for (const Target& target : conform::targets()) {
        const std::vector<std::string> lines = lines_of(many, target);
        REQUIRE(lines.size() == 1001);
        CHECK(lines[0] == "[0] 0");
        CHECK(lines[999] == "[999] 999");
        CHECK(lines[1000] == "99000 more lines are left out");
    }
    CHECK(lines_of(take(many, 5000), Target::interpreter()).size() >= 5000);
}

TEST_CASE("debug_print names its line, and wrong formats", "[debug]") {
    std::string text;
    run(map(
            [](auto x) {
                debug_print("here");
                return x;
            },
            from({1})),
        {.debug = [&](std::string_view line) { text = line; }});
    CHECK(text == "debug.cpp:" + std::to_string(__LINE__ - 5) + ": [0] here");
    CHECK_THROWS_AS(map(
                        [](auto x) {
                            debug_print("{} {}", x);
                            return x;
                        },
                        from({1})),
                    UsageError);
    CHECK_THROWS_AS(compile([](Exp<int> x) {
                        debug_print("{}", x);
                        return x;
                    }),
                    UsageError);
    struct Stop {};
    auto printed = map(
        [](auto x) {
            debug_print("{}", x);
            return x;
        },
        from({1, 2}));
    CHECK_THROWS_AS(run(printed, {.debug = [](std::string_view) { throw Stop(); }}), Stop);
    CHECK(run(printed, {.debug = [](auto) {}}).size() == 2);
}

TEST_CASE("compiled functions print at every call", "[debug]") {
    std::size_t lines = 0;
    auto step = compile(
        [](Delayed<float> x) {
            return map(
                [](auto v) {
                    debug_print("{}", v);
                    return v;
                },
                x);
        },
        {.debug = [&](std::string_view) { ++lines; }});
    Array<float> a = from({1.f, 2.f, 3.f});
    for (std::size_t calls = 1; calls < 6; ++calls) {
        step(a);
        CHECK(lines == 3 * calls);
    }
    std::size_t others = 0;
    step.with({.debug = [&](std::string_view) { ++others; }})(a);
    CHECK(others == 3);
    CHECK(lines == 15);
    step.with({.progress = [](const Progress&) {}})(a);
    CHECK(lines == 18);
}

TEST_CASE("debug_print inside every kind of kernel", "[debug]") {
    Array<int> a = run(cast<int>(iota(300)));
    auto shown = [](auto x) {
        debug_print("{}", x);
        return x;
    };
    auto kept = filter(
        [](auto x) {
            debug_print("{}", x);
            return x % 3 == 0;
        },
        a);
    auto moved = stencil(
        [](auto s) {
            debug_print("{} {}", s(-1), s(1));
            return s(-1) + s(1);
        },
        boundary::wrap, a);
    auto states = recur(
        [](auto s, auto x) {
            debug_print("{} {}", s, x);
            return s / 2 + x;
        },
        0, a);
    Array<int, 2> m = run(reshape(a, shape(20, 15)));
    auto plus = [](auto x, auto y) { return x + y; };
    auto check = [&](const auto& expression, std::size_t count) {
        const std::vector<std::string> expected = lines_of(expression, Target::interpreter());
        CHECK(expected.size() == count);
        for (const Target& target : conform::targets()) CHECK(lines_of(expression, target) == expected);
    };
    check(kept, 300);
    check(moved, 300);
    check(states, 300);
    check(sum(map(shown, m), axis(0)), 300);
    check(transpose(map(shown, m)), 300);
    check(inclusive_scan(plus, map(shown, m), axis(0)), 300);
    check(histogram(7, plus, 0, a % 7, map(shown, a)), 300);
    check(sort(map(shown, a)), 300);
    auto rows = vmap([=](Delayed<int> row) { return sum(map(shown, row)); }, m);
    for (const Target& target : conform::targets())
        CHECK(lines_of(rows, target) == lines_of(map(shown, m), Target::interpreter()));
    check(while_loop([](auto k, auto) { return k < 3; }, [=](auto k, auto x) { return std::tuple(k + 1, map(shown, x)); }, 0,
                     take(a, 10)),
          30);
}

TEST_CASE("expectations inside every kind of kernel", "[debug]") {
    Array<int> a = run(cast<int>(iota(300)));
    auto checked = [](auto x) { return expect(x != 77, "not this", x); };
    auto plus = [](auto x, auto y) { return x + y; };
    auto fails = [&](const auto& expression, const char* words) {
        for (const Target& target : all_targets()) {
            try {
                run(expression, {.target = target});
                FAIL("no error");
            } catch (const ExpectationError& error) {
                CHECK(contains(error.what(), words));
            }
        }
    };
    Array<int, 2> m = run(reshape(a, shape(20, 15)));
    fails(filter([&](auto x) { return checked(x) > 5; }, a), "filter: expectation failed at element 77: not this");
    fails(recur([&](auto s, auto x) { return s + checked(x); }, 0, a), "recur: expectation failed: not this");
    fails(inclusive_scan([](auto x, auto y) { return expect(x < 999 && y < 999, "small", x + y); }, a), "failed: small");
    fails(histogram(
              7, [](auto x, auto y) { return expect(x < 999 && y < 999, "small", x + y); }, 0, a % 7, a),
          "histogram: expectation failed: small");
    fails(sum(map(checked, m), axis(0)), "map: expectation failed at element (5, 2): not this");
    fails(sort(map(checked, a)), "at element 77: not this");
    fails(gather(from(std::vector<int>{1, 77, 2}), map(checked, a)), "at element 77: not this");
    fails(transpose(map(checked, m)), "at element (5, 2): not this");
    fails(scatter(plus, a, a, map(checked, a)), "at element 77: not this");
    fails(cond(sum(a) > 0, [=] { return map(checked, a); }, [=] { return a + 0; }), "at element 77: not this");
}
