// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// User mistakes: the right kind of error, the place of the call, and nothing left behind.
#include <catch2/catch.hpp>

#include <optional>
#include <thread>

#include "tests/unit/front/build.hpp"

using namespace sinter;

TEST_CASE("different shapes name both, and where each was made") {
    Array<float> x = from(std::vector<float>(3));
    Array<float> y = from(std::vector<float>(4));
    unsigned line = __LINE__ + 1;
    auto error = catch_error([&] { x + y; });
    CHECK(error.kind == ErrorKind::shape);
    CHECK(error.line == line);
    CHECK(error.contains("operator +"));
    CHECK(error.contains("[3]"));
    CHECK(error.contains("[4]"));
    CHECK(error.contains("error_test.cpp:" + std::to_string(line - 3)));
    CHECK(error.contains("error_test.cpp:" + std::to_string(line - 2)));
    CHECK(catch_error([&] { map(std::plus<>{}, x, y); }).line == __LINE__);
    CHECK(catch_error([&] { zip(x, y); }).contains("zip"));
    CHECK(catch_error([&] { max(x, y); }).line == __LINE__);
    CHECK(catch_error([&] { select(x > 0, x, y); }).contains("select"));
    CHECK(nothing_is_traced());
}

TEST_CASE("an exception of the user's function leaves no trace") {
    Array<float> x = from({1.f});
    auto thrower = [](auto) -> Exp<float> { throw 42; };
    CHECK_THROWS_AS(map(thrower, x), int);
    CHECK(nothing_is_traced());
    CHECK_THROWS_AS(map([&](auto v) { return cond(v > 0, [&] { return thrower(v); }, [&] { return v; }); }, x), int);
    CHECK(nothing_is_traced());
    CHECK_THROWS_AS(for_loop(3, [&](auto, Delayed<float> a) { return map(thrower, a); }, x), int);
    CHECK(nothing_is_traced());
}

TEST_CASE("a function may catch what its branch throws") {
    Array<float> x = from({1.f});
    auto y = map(
        [](auto v) {
            try {
                return cond(
                    v > 0,
                    [&]() -> Exp<float> {
                        v + 1;
                        throw 1;
                    },
                    [&] { return v; });
            } catch (int) {
                return v * 2;
            }
        },
        x);
    CHECK(op_of<front::Map>(y).fn.body.insts.size() == 2);
}

TEST_CASE("an Exp outlives its function") {
    Array<float> x = from({1.f});
    Exp<float> kept;
    unsigned line = __LINE__ + 1;
    map([&](auto v) { return kept = v; }, x);
    auto error = catch_error([&] { kept + 1; });
    CHECK(error.kind == ErrorKind::usage);
    CHECK(error.contains("the function given to map at error_test.cpp:" + std::to_string(line)));
    CHECK(error.contains("has returned"));
    CHECK(error.line == line);
    auto inside = catch_error([&] { map([&](auto v) { return v + kept; }, x); });
    CHECK(inside.contains("after it has returned"));
    CHECK(inside.line == __LINE__ - 2);
    CHECK(nothing_is_traced());
}

TEST_CASE("a loop of numbers alone outside functions") {
    Array<float> x = from({1.f});
    map([](auto v) { return v; }, x);  // is not to blame
    auto counted = catch_error([] { for_loop(3, [](auto, auto s) { return s + 1; }, 0); });
    CHECK(counted.line == __LINE__ - 1);
    CHECK(counted.contains("for_loop on scalars is only possible inside a function"));
    CHECK_FALSE(counted.contains("has returned"));
    auto below = [](auto s, auto) { return s < 3; };
    auto more = [](auto s, auto t) { return std::tuple(s + 1, t); };
    auto repeated = catch_error([&] { while_loop(below, more, 0, 1.f); });
    CHECK(repeated.line == __LINE__ - 1);
    CHECK(repeated.contains("while_loop on scalars is only possible inside a function"));
    auto of_three =
        catch_error([] { for_loop(3, [](auto, auto a, auto b, auto c) { return std::tuple(b, c, a); }, 0, 1, 2); });
    CHECK(of_three.line == 0);  // the states leave no room for the place
    CHECK(of_three.contains("for_loop on scalars"));
    CHECK(nothing_is_traced());
}

TEST_CASE("an Exp without a value, outside functions, of a branch, of another thread") {
    Array<float> x = from({1.f});
    CHECK(catch_error([&] { map([](auto v) { return v + Exp<float>(); }, x); }).contains("never assigned"));
    CHECK(catch_error([] { reify(1.f); }).kind == ErrorKind::usage);
    CHECK(catch_error([] { iota(3)(0); }).contains("run(a)(i)"));
    CHECK(catch_error([&] { size(x); }).contains("a.size()"));
    CHECK(catch_error([&] { extent(x, 0); }).contains("a.shape()[k]"));
    CHECK_FALSE(catch_error([&] { extent(x, 0); }).contains("has returned"));
    auto branch = catch_error([&] {
        map(
            [](auto v) {
                Exp<float> kept;
                cond(v > 0, [&] { return kept = v + 1; }, [&] { return v; });
                return kept;
            },
            x);
    });
    CHECK(branch.kind == ErrorKind::usage);
    CHECK(branch.contains("branch or loop body"));
    map(
        [](auto v) {
            Caught other;
            std::thread([&] { other = catch_error([&] { v + 1; }); }).join();
            CHECK(other.kind == ErrorKind::usage);
            return v;
        },
        x);
    CHECK(nothing_is_traced());
}

TEST_CASE("combinators that need scalars of a function") {
    Array<float> x = from({1.f});
    auto inner = catch_error([&] {
        map(
            [&](auto v) {
                map([=](auto w) { return v + w; }, x);
                return v;
            },
            x);
    });
    CHECK(inner.kind == ErrorKind::usage);
    CHECK(inner.contains("uses a scalar of the function given to map"));
    CHECK(catch_error([&] {
              map(
                  [&](auto v) {
                      x + v;
                      return v;
                  },
                  x);
          }).kind == ErrorKind::usage);
    CHECK(catch_error([&] {
              map(
                  [&](auto v) {
                      fill(shape(cast<int>(v)), 1);
                      return v;
                  },
                  x);
          }).contains("fill"));
    CHECK(catch_error([&] {
              map(
                  [&](auto v) {
                      fold(std::plus<>{}, v, x);
                      return v;
                  },
                  x);
          }).contains("fold"));
    CHECK(catch_error([&] {
              map([&](auto v) { return for_loop(2, [](auto, Delayed<float> a) { return a; }, x)(0) + v; }, x);
          }).contains("only scalars are possible inside the function given to map"));
    // An array that needs none of them is fine.
    auto y = map([&](auto v) { return v + sum(x)() + iota<float>(10)(0); }, x);
    CHECK(op_of<front::Map>(y).captures.scalars.size() == 1);
    CHECK(nothing_is_traced());
}

TEST_CASE("arrays that were never assigned") {
    Array<float> x;
    Delayed<float> d;
    CHECK(catch_error([&] { x + 1; }).kind == ErrorKind::usage);
    CHECK(catch_error([&] { map([](auto v) { return v; }, d); }).kind == ErrorKind::usage);
    CHECK(catch_error([&] { x.shape(); }).line == __LINE__);
}

TEST_CASE("reading on the host is checked") {
    Array<int, 2> m = from(std::vector{1, 2, 3, 4, 5, 6}, shape(2, 3));
    CHECK(m(1, 0) == 4);
    CHECK(m(1, 2) == 6);
    CHECK(catch_error([&] { m(2, 0); }).kind == ErrorKind::index);
    CHECK(catch_error([&] { m(0, -1); }).kind == ErrorKind::index);
    CHECK(catch_error([&] { from(std::vector{1, 2}, shape(3)); }).kind == ErrorKind::shape);
    CHECK(catch_error([&] { from(std::vector{1, 2}, shape(-2)); }).kind == ErrorKind::shape);
}
