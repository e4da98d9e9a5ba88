// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors: the kind, the message, the user's line; afterwards everything still works.
#include "conform/support.hpp"

#include <sinter/npy.hpp>

#include <optional>

using namespace sinter;

namespace {

const Target targets[] = {Target::interpreter(), Target::host(1), Target::host(2)};

/// Runs `action`, which must throw E from line `line`, with all `words` in its message and the line at its end.
template <class E, class F>
void require_error(F action, ErrorKind kind, unsigned line, std::initializer_list<const char*> words) {
    const std::string end = std::string(" (") + __FILE__ + ":" + std::to_string(line) + ")";
    try {
        action();
    } catch (const E& error) {
        CAPTURE(error.what(), end);
        const std::string text = error.what();
        REQUIRE(text.size() > end.size());
        REQUIRE(text.substr(text.size() - end.size()) == end);
        REQUIRE(text.find(end) == text.size() - end.size());
        REQUIRE(error.kind() == kind);
        REQUIRE(error.where().line() == line);
        REQUIRE(std::string(error.where().file_name()).find("errors.cpp") != std::string::npos);
        for (const char* word : words) REQUIRE(std::string(error.what()).find(word) != std::string::npos);
        return;
    }
    FAIL("no error");
}

}  // namespace

TEST_CASE("an index out of range names the index, the extent and the line", "[errors]") {
    Array<float> table = from(std::vector<float>{1, 2, 3, 4, 5});
    for (const Target& target : targets) {
        Array<std::int64_t> index = from(std::vector<std::int64_t>{0, 4, 5, 1});
        unsigned line = __LINE__ + 1;
        auto bad = gather(index, table);
        require_error<IndexError>([&] { run(bad, {.target = target}); }, ErrorKind::index, line,
                                  {"gather", "index 5", "extent 5"});
        Array<std::int64_t> negative = from(std::vector<std::int64_t>{0, -1});
        line = __LINE__ + 1;
        auto worse = map([&](auto i) { return table(i) + 1.f; }, negative);
        require_error<IndexError>([&] { run(worse, {.target = target}); }, ErrorKind::index, line, {"index -1", "extent 5"});
        // Nothing is lost.
        REQUIRE(run(sum(table), {.target = target}).item() == 15.f);
        REQUIRE(run(sum(index), {.target = target}).item() == 10);
    }
}

TEST_CASE("a read of an empty array is an IndexError", "[errors]") {
    Array<float> table = from(std::vector<float>{});
    for (const Target& target : targets) {
        REQUIRE_THROWS_AS(run(generate(shape(10), [&](Exp<std::int64_t> i) { return table(i); }), {.target = target}),
                          IndexError);
        REQUIRE(run(generate(shape(0), [&](Exp<std::int64_t> i) { return table(i); }), {.target = target}).size() == 0);
    }
}

TEST_CASE("reads of empty arrays that are not executed", "[errors]") {
    using I = Exp<std::int64_t>;
    const Array<float> none = from(std::vector<float>{}), x = from({1.f, 2.f, 3.f});
    const Array<float, 2> lines = run(fill(shape(0, 40), 1.f)), columns = run(fill(shape(40, 0), 1.f));
    const Array<std::int64_t> n = from(std::vector<std::int64_t>{0});
    std::vector<Target> all = conform::targets();
    all.insert(all.end(), std::begin(targets), std::end(targets));
    for (const Target& target : all) {
        const Options options{.target = target};
        const auto guarded = [&](auto&& read) {
            const auto points = [&](I i) {
                return cond(i < n(i * 0), [&] { return read(i); }, [] { return Exp<float>(7.f); });
            };
            CHECK(run(generate(shape(40), points), options).to_vector() == std::vector<float>(40, 7.f));
            CHECK(run(sum(generate(shape(40), points)), options).item() == 280.f);
            CHECK(run(inclusive_scan(std::plus<>{}, generate(shape(40), points)), options).to_vector().back() == 280.f);
            const auto bad = [&](I i) { return cond(i > 37, [&] { return read(i); }, [] { return Exp<float>(7.f); }); };
            CHECK_THROWS_AS(run(generate(shape(40), bad), options), IndexError);
            CHECK_THROWS_AS(run(sum(generate(shape(40), bad)), options), IndexError);
            CHECK_THROWS_AS(run(filter([](auto v) { return v > 0.f; }, generate(shape(40), bad)), options), IndexError);
        };
        guarded([&](I i) { return none(i); });
        guarded([&](I i) { return none(i - 20); });
        guarded([&](I i) { return lines(i, i); });
        guarded([&](I i) { return columns(i, i); });
        guarded([&](I i) { return drop(x, 3)(i); });
        guarded([&](I i) { return (none + drop(x, 3))(i % 3); });
        guarded([&](I i) { return transpose(lines)(39 - i, i); });
        // Loops of as many iterations as there are elements.
        const auto inner = [&](I i) {
            return for_loop(n(i * 0), [&](I k, Exp<float> s) { return s + none(k + i); }, Exp<float>(1.f));
        };
        CHECK(run(generate(shape(40), inner), options).to_vector() == std::vector<float>(40, 1.f));
        CHECK(run(sum(generate(shape(40, 0), [&](I i, I k) { return none(i + k); })), options).to_vector() ==
              std::vector<float>(40, 0.f));
    }
}

TEST_CASE("a read that is not executed is not checked", "[errors]") {
    Array<float> table = from(std::vector<float>{1, 2, 3});
    for (const Target& target : targets) {
        auto guarded = generate(shape(100), [&](Exp<std::int64_t> i) {
            return cond(i < 3, [&] { return table(i); }, [] { return Exp<float>(-1.f); });
        });
        auto values = run(guarded, {.target = target}).to_vector();
        REQUIRE(values[2] == 3.f);
        REQUIRE(values[99] == -1.f);
    }
}

TEST_CASE("integer division by zero is a DomainError", "[errors]") {
    for (const Target& target : targets) {
        Array<std::int32_t> a = from(std::vector<std::int32_t>{1, 2, 3}), b = from(std::vector<std::int32_t>{1, 0, 3});
        unsigned line = __LINE__ + 1;
        auto bad = a / b;
        require_error<DomainError>([&] { run(bad, {.target = target}); }, ErrorKind::domain, line, {"division by zero"});
        REQUIRE(run(a + b, {.target = target}).to_vector() == std::vector<std::int32_t>{2, 2, 6});
    }
}

TEST_CASE("shapes that differ name both shapes", "[errors]") {
    Array<float> x = from(std::vector<float>(3)), y = from(std::vector<float>(4));
    require_error<ShapeError>([&] { (void)map([](auto a, auto b) { return a + b; }, x, y); }, ErrorKind::shape, __LINE__,
                              {"map", "3", "4"});
    require_error<ShapeError>([&] { (void)(x + y); }, ErrorKind::shape, __LINE__, {"3", "4"});
    require_error<ShapeError>([&] { (void)reshape(x, shape(2, 2)); }, ErrorKind::shape, __LINE__, {"reshape"});
}

TEST_CASE("shapes of a compiled function's arguments are checked when it is called", "[errors]") {
    auto add = compile([](Delayed<float> a, Delayed<float> b) { return a + b; });
    Array<float> x = from(std::vector<float>(3)), y = from(std::vector<float>(4));
    REQUIRE_THROWS_AS(add(x, y), ShapeError);
    REQUIRE(add(x, x).size() == 3);
}

TEST_CASE("an expression outside its function is a UsageError", "[errors]") {
    Array<float> x = from(std::vector<float>(3));
    std::optional<Exp<float>> leaked;
    (void)map(
        [&](Exp<float> a) {
            leaked = a;
            return a;
        },
        x);
    REQUIRE_THROWS_AS(map([&](Exp<float> a) { return a + *leaked; }, x), UsageError);
    REQUIRE(run(x + 1.f).to_vector()[0] == 1.f);
}

TEST_CASE("more memory than there is is a MemoryError", "[errors]") {
    REQUIRE_THROWS_AS(run(fill(shape(std::int64_t(1) << 50), 1.0)), MemoryError);
    REQUIRE_THROWS_AS(run(fill(shape(std::int64_t(1) << 40, std::int64_t(1) << 40), 1.0)), ShapeError);
    REQUIRE(run(sum(iota(10))).item() == 45);
}

TEST_CASE("what needs an element says so where extents are not known before the call", "[errors]") {
    const Array<float> none = from(std::vector<float>{}), some = from(std::vector<float>{3, 1, 2});
    for (const Target& target : targets) {
        unsigned line = __LINE__ + 1;
        auto least = compile([](Delayed<float> x) { return min(x); }, {.target = target});
        require_error<ShapeError>([&] { least(none); }, ErrorKind::shape, line, {"min, axis 0", "no element"});
        REQUIRE(least(some).item() == 1.f);
        auto first = compile([](Delayed<float> x) { return fold1([](auto a, auto) { return a; }, x); }, {.target = target});
        REQUIRE_THROWS_AS(first(none), ShapeError);
        REQUIRE(first(some).item() == 3.f);
        auto where = compile([](Delayed<float> x) { return argmax(x); }, {.target = target});
        REQUIRE_THROWS_AS(where(none), ShapeError);
        REQUIRE(where(some).item() == 0);
        auto above = [&](float bound) { return filter([=](auto v) { return v > bound; }, some); };
        REQUIRE_THROWS_AS(run(max(above(5.f)), {.target = target}), ShapeError);
        REQUIRE_THROWS_AS(run(argmin(above(5.f)), {.target = target}), ShapeError);
        REQUIRE(run(max(above(1.f)), {.target = target}).item() == 3.f);
        REQUIRE(run(sum(some), {.target = target}).item() == 6.f);
    }
}

TEST_CASE("what needs an element, in branches, loops and slices", "[errors]") {
    for (const Target& target : targets) {
        auto guarded = compile(
            [](Delayed<float> x) {
                return cond(extent(x, 0) > 0, [&] { return max(x); }, [&] { return fill(shape(), -1.f); });
            },
            {.target = target});
        REQUIRE(guarded(from(std::vector<float>{})).item() == -1.f);
        REQUIRE(guarded(from(std::vector<float>{2, 4})).item() == 4.f);
        auto either = compile(
            [](Delayed<float> x, Exp<bool> least) { return cond(least, [&] { return min(x); }, [&] { return max(x); }); },
            {.target = target});
        REQUIRE(either(from(std::vector<float>{2, 4}), true).item() == 2.f);
        REQUIRE_THROWS_AS(either(from(std::vector<float>{}), true), ShapeError);
        REQUIRE_THROWS_AS(either(from(std::vector<float>{}), false), ShapeError);
        auto halved = compile(
            [](Delayed<float> x) {
                return while_loop([](auto v) { return max(v)() > 1.f; }, [](auto v) { return v * 0.5f; }, x);
            },
            {.target = target});
        REQUIRE(halved(from(std::vector<float>{2, 4})).to_vector() == std::vector<float>{0.5f, 1.f});
        REQUIRE_THROWS_AS(halved(from(std::vector<float>{})), ShapeError);
        auto rows = compile([](Delayed<float, 2> m) { return vmap([](Delayed<float> row) { return max(row); }, m); },
                            {.target = target});
        REQUIRE(rows(from(std::vector<float>{1, 3, 5, 2}, shape(2, 2))).to_vector() == std::vector<float>{3, 5});
        REQUIRE_THROWS_AS(rows(from(std::vector<float>{}, shape(2, 0))), ShapeError);
    }
}

TEST_CASE("bounds that depend on a loop's counter are checked in every iteration", "[errors]") {
    const auto values = conform::numbers<std::int64_t>(10);
    for (const Target& target : targets) {
        Array<std::int64_t> x = from(values), zero = from(std::vector<std::int64_t>(3));
        auto windows = [&](std::int64_t count) {
            return for_loop(
                count,
                [=](Exp<std::int64_t> i, Delayed<std::int64_t> total) {
                    return map(std::plus<>{}, total, slice(x, range(i, i + 3)));
                },
                zero);
        };
        std::vector<std::int64_t> expected(3);
        for (std::size_t i = 0; i < 8; ++i)
            for (std::size_t k = 0; k < 3; ++k) expected[k] += values[i + k];
        REQUIRE(run(windows(8), {.target = target}).to_vector() == expected);
        REQUIRE(run(windows(0), {.target = target}).to_vector() == std::vector<std::int64_t>(3));
        unsigned line = __LINE__ - 9;
        require_error<ShapeError>([&] { run(windows(9), {.target = target}); }, ErrorKind::shape, line,
                                  {"slice", "axis 0", "11 exceeds 10"});
        REQUIRE(run(sum(x), {.target = target}).item() == std::accumulate(values.begin(), values.end(), std::int64_t{0}));
    }
}

TEST_CASE("slices with results of their own sizes are a Limitation", "[errors]") {
    Array<std::int64_t, 2> m = from(conform::numbers<std::int64_t>(12), shape(3, 4));
    auto positive = [](auto a) { return filter([](auto v) { return v > 0; }, a); };
    for (const Target& target : targets) {
        const unsigned line = __LINE__ + 1;
        auto rows = vmap([=](auto row) { return positive(row); }, m);
        require_error<Limitation>([&] { run(rows, {.target = target}); }, ErrorKind::limitation, line, {"vmap", "filter"});
    }
    conform::everywhere(vmap([=](auto row) { return sum(reverse(positive(row))); }, m));
}

TEST_CASE("messages name what was called, not what it is made of", "[errors]") {
    Array<float> a = from({1.f, 2.f, 3.f});
    Array<std::int64_t> far = from(std::vector<std::int64_t>{0, 7, 1});
    Array<int> zero = from({1, 0, 2});
    auto plus = [](auto x, auto y) { return x + y; };
    for (const Target& target : targets) {
        auto index_error = [&](auto expression, unsigned line, const char* name) {
            require_error<IndexError>([&] { run(expression, {.target = target}); }, ErrorKind::index, line,
                                      {name, "index 7"});
        };
        auto binned = histogram(4, plus, 0.f, far, a);
        index_error(binned, __LINE__ - 1, "histogram: ");
        auto moved = permute(plus, a, [](auto i) { return i + 7; }, a);
        index_error(moved, __LINE__ - 1, "permute: ");
        auto taken = backpermute(shape(2), [](auto i) { return i + 7; }, a);
        index_error(taken, __LINE__ - 1, "backpermute: ");
        auto divided = zero / zero;
        require_error<DomainError>([&] { run(divided, {.target = target}); }, ErrorKind::domain, __LINE__ - 1,
                                   {"operator /: integer division by zero"});
        auto sum_of = compile([](Delayed<float> x, Delayed<float> y) { return x + y; }, {.target = target});
        const unsigned line = __LINE__ - 1;
        require_error<ShapeError>([&] { sum_of(a, run(take(a, 2))); }, ErrorKind::shape, line, {"operator +", "3", "2"});
    }
}

TEST_CASE("an initial value that the elements cannot hold", "[errors]") {
    Array<int> a = from({1, 2, 3});
    auto plus = [](auto x, auto y) { return x + y; };
    auto refuses = [](auto action) { REQUIRE_THROWS_AS(action(), UsageError); };
    refuses([&] { fold(plus, 0.5, a); });
    refuses([&] { fold(plus, 1e10, a); });
    refuses([&] { inclusive_scan(plus, 0.5f, a); });
    refuses([&] { pad(a, {{1, 1}}, 0.5); });
    refuses([&] { histogram(2, plus, 0.5, from(std::vector<int>{0, 1, 0}), a); });
    REQUIRE(run(fold(plus, 4.0, a)).item() == 10);
}

TEST_CASE("a read on the host names the line that reads", "[errors]") {
    Array<float> v = from({1.f, 2.f, 3.f});
    Array<float, 2> m = from({1.f, 2.f, 3.f, 4.f}, shape(2, 2));
    require_error<IndexError>([&] { v(5); }, ErrorKind::index, __LINE__, {"index 5 is outside axis 0 of", "[3]"});
    require_error<IndexError>([&] { v(-1); }, ErrorKind::index, __LINE__, {"index -1"});
    require_error<IndexError>([&] { m(1, 2); }, ErrorKind::index, __LINE__, {"index 2 is outside axis 1 of", "[2, 2]"});
    REQUIRE(m(1, std::uint8_t{1}) == 4.f);
    auto later = v + 1.f;
    auto all = sum(v);
    require_error<UsageError>([&] { later(0); }, ErrorKind::usage, __LINE__, {"run(a)(i)"});
    require_error<UsageError>([&] { all(); }, ErrorKind::usage, __LINE__, {"run(a).item()"});
    require_error<UsageError>([&] { size(v); }, ErrorKind::usage, __LINE__, {"a.size()"});
    require_error<UsageError>([&] { extent(later, 0); }, ErrorKind::usage, __LINE__, {"a.shape()[k]"});
}

TEST_CASE("an array without a value, or moved from", "[errors]") {
    Array<float> v = from({1.f, 2.f, 3.f}), gone = std::move(v), never;
    Array<float, 0> number;
    auto twice = compile([](Delayed<float> x) { return x + x; });
    const unsigned compiled = __LINE__ - 1;
    const std::initializer_list<const char*> words = {"declared but never assigned, or moved from"};
    require_error<UsageError>([&] { run(v + 1.f); }, ErrorKind::usage, __LINE__, words);  // NOLINT(bugprone-use-after-move)
    require_error<UsageError>([&] { v.to_vector(); }, ErrorKind::usage, __LINE__, words);
    require_error<UsageError>([&] { v(0); }, ErrorKind::usage, __LINE__, words);
    require_error<UsageError>([&] { v.data(); }, ErrorKind::usage, __LINE__, words);
    require_error<UsageError>([&] { sum(never); }, ErrorKind::usage, __LINE__, words);
    require_error<UsageError>([&] { run(never); }, ErrorKind::usage, __LINE__, words);
    require_error<UsageError>([&] { take(never, 1); }, ErrorKind::usage, __LINE__, words);
    require_error<UsageError>([&] { number.item(); }, ErrorKind::usage, __LINE__, words);
    require_error<UsageError>([&] { twice(v); }, ErrorKind::usage, compiled, words);
    REQUIRE(run(sum(gone)).item() == 6.f);
}

TEST_CASE("a literal that the expression's type cannot hold names the cast", "[errors]") {
    Array<int> v = from({1, 2, 3});
    require_error<UsageError>([&] { map([](Exp<int> e) { return e * 0.5; }, v); }, ErrorKind::usage, __LINE__,
                              {"0.5 is no i32", "cast<double>(e)"});
    require_error<UsageError>([&] { v * 0.5f; }, ErrorKind::usage, __LINE__, {"0.5 is no i32", "cast<double>(e)"});
    REQUIRE(run(v * 2.0).to_vector() == std::vector<int>{2, 4, 6});
}

TEST_CASE("what slices do differently is done slice after slice", "[errors]") {
    Array<float, 2> m = from(conform::numbers<float>(12), shape(3, 4));
    Array<std::int64_t> by = from(std::vector<std::int64_t>{0, 1, 2});
    auto plus = [](auto x, auto y) { return x + y; };
    conform::everywhere(vmap([](Delayed<float> row, Exp<std::int64_t> k) { return rotate(row, k); }, m, by));
    conform::everywhere(vmap(
        [&](Delayed<float> row, Exp<std::int64_t> k) {
            return histogram(4, [=](auto x, auto y) { return x + y + cast<float>(k); }, 0.f, iota(4), row);
        },
        m, by));
    auto twice = [](const Array<float>& a) { return run(a * 2.f); };
    conform::everywhere(vmap([=](Delayed<float> row) { return sum(foreign("twice", twice, row)); }, m));
    auto sums = vmap([=](Delayed<float> row) { return permute(plus, row, [](auto i) { return i; }, row); }, m);
    REQUIRE(run(sums).shape() == m.shape());
}

TEST_CASE("every message ends in a line of the program", "[errors]") {
    Array<float> v = from({1.f, 2.f, 3.f});
    Array<float, 2> m = from({1.f, 2.f, 3.f, 4.f}, shape(2, 2));
    auto plus = [](auto x, auto y) { return x + y; };
    auto shape_error = [&](auto action, unsigned line) { require_error<ShapeError>(action, ErrorKind::shape, line, {}); };
    auto usage_error = [&](auto action, unsigned line) { require_error<UsageError>(action, ErrorKind::usage, line, {}); };
    shape_error([&] { slice(v, range(1, 9)); }, __LINE__);
    shape_error([&] { take(v, 4); }, __LINE__);
    shape_error([&] { reshape(v, shape(2)); }, __LINE__);
    shape_error([&] { concat(m, transpose(reshape(v, shape(1, 3))), 0); }, __LINE__);
    shape_error([&] { broadcast(v, shape(2, 4), axes(1)); }, __LINE__);
    shape_error([&] { pad(v, {{-1, 0}}, 0.f); }, __LINE__);
    shape_error([&] { fill(shape(-1), 0.f); }, __LINE__);
    shape_error([&] { from(std::vector<float>(3), shape(2, 2)); }, __LINE__);
    shape_error([&] { max(take(v, 0)); }, __LINE__);
    shape_error([&] { scatter(v, from({std::int64_t{0}}), v); }, __LINE__);
    usage_error([&] { sum(v, axis(1)); }, __LINE__);
    usage_error([&] { sum(m, axes(0, 0)); }, __LINE__);
    usage_error([&] { transpose(m, {0, 0}); }, __LINE__);
    usage_error([&] { slice(v, range(0, 1, 0)); }, __LINE__);
    usage_error([&] { run(v, {.target = Target::host(-1)}); }, __LINE__);
    usage_error([&] { map([&](auto x) { return run(v)(0) + x; }, v); }, __LINE__);
    usage_error([&] { map([&](auto x) { return sum(map([=](auto y) { return x + y; }, v))(); }, v); }, __LINE__);
    usage_error([&] { map([](auto) { return Exp<float>(); }, v); }, __LINE__);
    usage_error([&] { fold(plus, 0.5, from({1, 2})); }, __LINE__);
    usage_error([&] { profile::start("/no such folder/trace.json"); }, __LINE__);
    usage_error([&] { load_npy<float, 1>("/no such file.npy"); }, __LINE__);
    require_error<MemoryError>([&] { run(fill(shape(std::int64_t(1) << 50), 1.0)); }, ErrorKind::memory, __LINE__, {});
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // whose operator new ends the process
TEST_CASE("an array that no memory holds", "[errors]") {
    constexpr std::int64_t huge = std::int64_t{1} << 46;
    for (const Target& target : targets) {
        REQUIRE_THROWS_AS(run(fill(shape(huge), 0.0), {.target = target}), MemoryError);
        REQUIRE(run(fill(shape(3), 1.0), {.target = target}).size() == 3);
    }
}
#endif
