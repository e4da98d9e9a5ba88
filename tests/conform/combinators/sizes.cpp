// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that cannot be: too many elements, negative lengths, offsets and indices far outside. The same error on every
// target.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

using Size = std::int64_t;
constexpr Size root = Size{1} << 32, vast = Size{1} << 62, most = INT64_MAX;

std::vector<Target> all_targets() {
    std::vector<Target> all = targets();
    all.insert(all.begin(), Target::interpreter());
    return all;
}

/// `action` of every target throws E from line `line`, with all `words` in its message.
template <class E, class F>
void require_error(F action, unsigned line, std::initializer_list<const char*> words) {
    for (const Target& target : all_targets()) {
        try {
            action(target);
            FAIL("no error");
        } catch (const E& error) {
            CAPTURE(error.what());
            REQUIRE(error.where().line() == line);
            for (const char* word : words) REQUIRE(std::string(error.what()).find(word) != std::string::npos);
        }
    }
}

}  // namespace

TEST_CASE("arrays of compiled functions have fewer than 2^63 elements", "[sizes]") {
    const unsigned line = __LINE__ + 1;
    auto filled = [](Exp<Size> n, Exp<Size> m) { return fill(shape(n, m), 1); };
    require_error<ShapeError>([&](Target t) { compile(filled, {.target = t})(root, root); }, line,
                              {"fill", "4294967296 x 4294967296", "2^63"});
    auto summed = [&](Exp<Size> n, Exp<Size> m) { return sum(sum(filled(n, m))); };
    require_error<ShapeError>([&](Target t) { compile(summed, {.target = t})(root, root); }, line, {"fill", "2^63"});
    for (const Target& t : all_targets()) {
        auto f = compile(summed, {.target = t});
        REQUIRE(f(3, 4).item() == 12);
        REQUIRE(f(0, root).item() == 0);
        REQUIRE_THROWS_AS(f(root, root), ShapeError);
        REQUIRE_THROWS_AS(f(root * 2 + 1, root / 2), ShapeError);
        REQUIRE(f(3, 4).item() == 12);
        REQUIRE_THROWS_AS(f(root, root), ShapeError);
    }
}

TEST_CASE("products and sums of extents do not wrap", "[sizes]") {
    unsigned line = __LINE__ + 1;
    auto every = [](Exp<Size> n, Exp<Size> m) { return any(flatten(fill(shape(n, m), true))); };
    require_error<ShapeError>([&](Target t) { compile(every, {.target = t})(root, root); }, line,
                              {"4294967296 x 4294967296 elements, 2^63 or more"});
    line = __LINE__ + 1;
    auto largest = [](auto n, auto m) { return max(concat(flatten(fill(shape(n, m), 7)), fill(shape(1), 3))); };
    auto largest_of = [&](Exp<Size> n, Exp<Size> m) { return largest(n, m); };
    require_error<ShapeError>([&](Target t) { compile(largest_of, {.target = t})(root, root); }, line, {"concat", "2^63"});
    line = __LINE__ + 1;
    auto reshaped = [](Delayed<Size> x, Exp<Size> n, Exp<Size> m) { return reshape(x, shape(n, m)); };
    const Array<Size> none = from(std::vector<Size>{});
    require_error<ShapeError>([&](Target t) { compile(reshaped, {.target = t})(none, root, root); }, line,
                              {"reshape", "2^63"});
    line = __LINE__ + 1;
    auto padded = [](Delayed<Size> x, Exp<Size> a, Exp<Size> b) { return pad(x, {{a, b}}, Size{5}); };
    const Array<Size> some = from(std::vector<Size>{1, 2, 3});
    require_error<ShapeError>([&](Target t) { compile(padded, {.target = t})(some, most, most); }, line, {"pad", "2^63"});
    REQUIRE_THROWS_AS(pad(some, {{most, most}}, Size{5}), ShapeError);
    REQUIRE_THROWS_AS(concat(fill(shape(vast), 1), fill(shape(vast), 1)), ShapeError);
}

TEST_CASE("a product with a factor 0 is 0 whatever the others are", "[sizes]") {
    auto empty = [](Exp<Size> n) { return fill(shape(n, n, Exp<Size>(0)), 1); };
    for (const Target& t : all_targets()) REQUIRE(compile(empty, {.target = t})(root).shape()[2] == 0);
}

TEST_CASE("what is too large is an error only where it is executed", "[sizes]") {
    auto guarded = [](Exp<Size> n, Exp<Size> m) {
        return cond(n < 100, [=] { return sum(sum(fill(shape(n, m), 1))); }, [=] { return sum(fill(shape(3), 2)); });
    };
    auto repeated = [](Exp<Size> count, Exp<Size> n) {
        auto body = [=](auto i, auto s) { return s + sum(sum(fill(shape(n, n), i))); };
        return for_loop(count, body, fill(shape(2), Size{0}));
    };
    for (const Target& t : all_targets()) {
        auto f = compile(guarded, {.target = t});
        REQUIRE(f(root, root).item() == 6);
        REQUIRE(f(2, 5).item() == 10);
        auto loop = compile(repeated, {.target = t});
        REQUIRE(loop(0, root)(1) == 0);
        REQUIRE(loop(5, 3)(1) == 90);
        REQUIRE_THROWS_AS(loop(5, root), ShapeError);
    }
}

TEST_CASE("lengths of segments that are negative", "[sizes][segments]") {
    const Array<float> values = from(std::vector<float>{1, 2, 3});
    const Array<Size> lengths = from(std::vector<Size>{2, -1, 2});
    auto folded = fold_segments(std::plus<>{}, 0.f, values, lengths);
    const unsigned line = __LINE__ - 1;
    auto scanned = inclusive_scan_segments(std::plus<>{}, values, lengths);
    auto expanded = expand(lengths, [](auto v, auto) { return v; }, values);
    for (Bounds bounds : {Bounds::checked, Bounds::unchecked}) {
        require_error<ShapeError>([&](Target t) { run(folded, {.target = t, .bounds = bounds}); }, line,
                                  {"fold_segments", "length of segment 1 is negative"});
        require_error<ShapeError>([&](Target t) { run(scanned, {.target = t, .bounds = bounds}); }, line + 2,
                                  {"inclusive_scan_segments", "length of segment 1 is negative"});
        require_error<ShapeError>([&](Target t) { run(expanded, {.target = t, .bounds = bounds}); }, line + 3,
                                  {"expand", "length of segment 1 is negative"});
    }
    auto one = expand([](auto v) { return cast<Size>(v) - 2; }, [](auto v, auto) { return v; }, values);
    require_error<ShapeError>([&](Target t) { run(one, {.target = t}); }, __LINE__ - 1, {"length of segment 0"});
    auto same = expand(-1, [](auto v, auto) { return v; }, values);
    require_error<ShapeError>([&](Target t) { run(same, {.target = t}); }, __LINE__ - 1, {"length of segment 0"});
}

TEST_CASE("a negative length is found among many", "[sizes][segments]") {
    std::vector<Size> lengths(100003, 1);
    lengths[77777] = -3;
    const Array<Size> counts = from(lengths);
    auto expanded = expand(counts, [](auto v, auto j) { return v + j; }, iota(100003));
    for (Fusion fusion : strategies)
        require_error<ShapeError>([&](Target t) { run(expanded, {.target = t, .fusion = fusion}); }, __LINE__ - 2,
                                  {"length of segment 77777 is negative"});
}

TEST_CASE("lengths of segments that add up to too much", "[sizes][segments]") {
    const Array<float> values = from(std::vector<float>{1, 2, 3});
    for (const std::vector<Size>& lengths : {std::vector<Size>{most, most, 5}, std::vector<Size>{vast, vast, vast}}) {
        auto scanned = inclusive_scan_segments(std::plus<>{}, values, from(lengths));
        const unsigned line = __LINE__ - 1;
        require_error<ShapeError>([&](Target t) { run(scanned, {.target = t}); }, line,
                                  {"lengths of segments 0 to 1", "2^63"});
        auto folded = fold_segments(std::plus<>{}, 0.f, values, from(lengths));  // may find first that the sum is not 3
        require_error<ShapeError>([&](Target t) { run(folded, {.target = t}); }, line + 4,
                                  {lengths[0] == most ? "lengths of segments 0 to 1" : "fold_segments"});
    }
    auto count = [](Size n) { return expand(n, [](auto v, auto) { return cast<std::int8_t>(v); }, iota(4)); };
    const unsigned line = __LINE__ - 1;
    for (Size n : {vast, vast + 1})
        require_error<ShapeError>([&](Target t) { run(sum(count(n)), {.target = t}); }, line, {"expand", "2^63"});
    require_error<MemoryError>([&](Target t) { run(expand(vast, [](auto v, auto) { return v; }, iota(1)), {.target = t}); },
                               __LINE__ - 1, {"cannot allocate"});
}

TEST_CASE("segments in compiled functions and loops, right and wrong in turn", "[sizes][segments]") {
    auto program = [](Delayed<Size> counts) { return sum(expand(counts, [](auto v, auto j) { return v + j; }, counts)); };
    for (const Target& t : all_targets()) {
        auto f = compile(program, {.target = t});
        const Array<Size> good = from(std::vector<Size>{2, 0, 3}), bad = from(std::vector<Size>{2, -1, 3});
        for (int k = 0; k < 3; ++k) {
            REQUIRE(f(good).item() == 2 + 3 + 3 + 4 + 5);
            REQUIRE_THROWS_AS(f(bad), ShapeError);
        }
        REQUIRE(f(from(std::vector<Size>{})).item() == 0);
    }
}

TEST_CASE("stencils read as far away as offsets reach", "[sizes][stencil]") {
    for (Size n : {1, 2, 5, 7, 64, 1000}) {
        CAPTURE(n);
        const Array<Size> x = run(iota(n) * Size{3} + Size{1});
        auto at = [&](Size offset) { return [=](auto s) { return s(offset); }; };
        for (Size offset :
             {most, most - 2, vast, vast - 1, root, -root, -vast, -most, INT64_MIN, INT64_MIN + 1, Size{1} << 47}) {
            CAPTURE(offset);
            const std::vector<Size> ends(static_cast<std::size_t>(n), offset < 0 ? 1 : 3 * n - 2);
            require_same(ends, everywhere(stencil(at(offset), boundary::clamp, x)).to_vector());
            const std::vector<Size> nines(static_cast<std::size_t>(n), -9);
            require_same(nines, everywhere(stencil(at(offset), boundary::constant(Size{-9}), x)).to_vector());
            std::vector<Size> wrapped, mirrored;
            for (Size i = 0; i < n; ++i) {
                const auto place = [&](Size period) {
                    return static_cast<Size>((__int128{offset} + i) % period + period) % period;
                };
                const Size folded = place(2 * n);
                wrapped.push_back(3 * place(n) + 1);
                mirrored.push_back(3 * (folded < n ? folded : 2 * n - 1 - folded) + 1);
            }
            require_same(wrapped, everywhere(stencil(at(offset), boundary::wrap, x)).to_vector());
            require_same(mirrored, everywhere(stencil(at(offset), boundary::symmetric, x)).to_vector());
        }
    }
}

TEST_CASE("stencils of two axes with far offsets, and of arrays of unknown extent", "[sizes][stencil]") {
    const Array<int, 2> x = run(reshape(iota<int>(12), shape(3, 4)));
    auto far = [](auto s) { return s(most, 0) + s(0, -most); };
    REQUIRE(everywhere(stencil(far, boundary::constant(-1), x)).to_vector() == std::vector<int>(12, -2));
    everywhere(stencil(far, boundary::clamp, x));
    everywhere(stencil(far, boundary::wrap, x));
    everywhere(stencil(far, boundary::symmetric, x));
    auto program = [&](Delayed<int, 2> a) {
        return std::tuple(stencil(far, boundary::constant(-1), a), stencil(far, boundary::symmetric, a));
    };
    for (const Target& t : all_targets()) {
        auto [constant, mirrored] = compile(program, {.target = t})(x);
        REQUIRE(constant.to_vector() == std::vector<int>(12, -2));
        REQUIRE(mirrored.to_vector() == run(stencil(far, boundary::symmetric, x)).to_vector());
    }
}

TEST_CASE("a scatter drops an element only if all parts of its index are -1", "[sizes][scatter]") {
    using Place = std::tuple<int, int>;
    const Array<int, 2> zeros = run(fill(shape(2, 3), 0));
    auto place = [&](std::vector<Place> at) {
        return scatter(zeros, from(at), take(from(std::vector<int>{5, 6}), static_cast<Size>(at.size())));
    };
    auto add = [&](std::vector<Place> at) {
        return scatter(std::plus<>{}, zeros, from(at), take(from(std::vector<int>{5, 6}), static_cast<Size>(at.size())));
    };
    REQUIRE(everywhere(place({{-1, -1}, {1, 2}})).to_vector() == std::vector<int>{0, 0, 0, 0, 0, 6});
    REQUIRE(everywhere(add({{-1, -1}, {1, 2}})).to_vector() == std::vector<int>{0, 0, 0, 0, 0, 6});
    for (Place bad : {Place{-1, 0}, Place{0, -1}, Place{-1, 3}, Place{2, -1}, Place{-2, -1}})
        for (const Target& t : all_targets()) {
            CAPTURE(std::get<0>(bad), std::get<1>(bad));
            REQUIRE_THROWS_AS(run(place({bad}), {.target = t}), IndexError);
            REQUIRE_THROWS_AS(run(add({{0, 0}, bad}), {.target = t}), IndexError);
        }
}

TEST_CASE("scatters of slices drop elements of their own", "[sizes][scatter][vmap]") {
    const Array<int, 2> places = run(reshape(map([](auto i) { return cast<int>(i * 5 % 7) - 1; }, iota(24)), shape(4, 6)));
    const Array<int, 2> wrong = run(map([](auto p) { return select(p == 3, -2, p); }, places));
    auto counts = [](Delayed<int, 2> at) {
        return vmap([](Delayed<int> row) { return scatter(std::plus<>{}, fill(shape(6), 0), row, fill(shape(6), 1)); }, at);
    };
    auto pairs = [](Delayed<int, 2> at) {
        auto f = [](Delayed<int> row) {
            return scatter(std::plus<>{}, fill(shape(6, 6), 0), zip(row, reverse(row)), fill(shape(6), 1));
        };
        return vmap(f, at);
    };
    everywhere(counts(places));
    everywhere(pairs(map([](auto p) { return p * 0 - 1; }, places)));
    for (const Target& t : all_targets()) {
        REQUIRE_THROWS_AS(run(counts(wrong), {.target = t}), IndexError);
        REQUIRE_THROWS_AS(run(pairs(places), {.target = t}), IndexError);
    }
}

TEST_CASE("unsigned indices of 2^63 or more are out of range", "[sizes][scatter]") {
    const auto indices = from(std::vector<std::uint64_t>{UINT64_MAX, 2});
    for (const Target& t : all_targets()) {
        REQUIRE_THROWS_AS(run(scatter(fill(shape(5), 0), indices, from(std::vector<int>{1, 2})), {.target = t}), IndexError);
        REQUIRE_THROWS_AS(run(gather(indices, iota(5)), {.target = t}), IndexError);
    }
}

TEST_CASE("an array without elements has none, however large its extents are", "[sizes]") {
    for (const Target& target : all_targets()) {
        const auto empty = run(fill(shape(vast, vast, 0), 1), {.target = target});
        CHECK(empty.size() == 0);
        CHECK(empty.to_vector().empty());
    }
}

TEST_CASE("multiples of an index wrap around", "[sizes]") {
    for (const Size factor : {most, -most - 1, vast + 1}) {
        auto multiples = [=](Exp<Size> n) { return generate(shape(n), [=](auto i) { return i * factor; }); };
        for (const Target& target : all_targets()) {
            const auto values = compile(multiples, {.target = target})(Size{100}).to_vector();
            for (std::size_t i = 0; i < values.size(); ++i)
                REQUIRE(values[i] == static_cast<Size>(i * static_cast<std::size_t>(factor)));
        }
    }
}

TEST_CASE("what replaces a part has its shape, also where that is known only when the program runs", "[sizes]") {
    const Array<int> a = from(numbers<int>(8));
    unsigned line = __LINE__ + 2;
    auto kept = [](Delayed<int> a, Exp<Size> n) {
        return update(a, range(0, n), filter([](Exp<int> v) { return v > 0; }, a));
    };
    const auto count = std::count_if(a.data(), a.data() + 8, [](int v) { return v > 0; });
    for (Size n : {Size{0}, Size{count - 1}, Size{count + 1}})
        require_error<ShapeError>([&](Target t) { compile(kept, {.target = t})(a, n); }, line, {"update", "differ"});
    for (const Target& target : all_targets()) {
        const Array<int> result = compile(kept, {.target = target})(a, Size{count});
        std::vector<int> expected = a.to_vector();
        std::copy_if(a.data(), a.data() + 8, expected.begin(), [](int v) { return v > 0; });
        require_same(expected, result.to_vector());
    }
    const Array<int> values = from(numbers<int>(3));
    line = __LINE__ + 1;
    auto given = [](Delayed<int> a, Delayed<int> b, Exp<Size> n) { return update(a, range(1, n), b); };
    for (Size n : {Size{3}, Size{5}, Size{1}})
        require_error<ShapeError>([&](Target t) { compile(given, {.target = t})(a, values, n); }, line,
                                  {"update", "differ"});
    for (const Target& target : all_targets())
        REQUIRE(compile(given, {.target = target})(a, values, Size{4})(3) == values(2));
    line = __LINE__ + 2;
    auto in_loop = [](Delayed<int> a) {
        return for_loop(3, [](Exp<Size> k, Delayed<int> x) { return update(x, range(0, k), take(x, k + 1)); }, a);
    };
    require_error<ShapeError>([&](Target t) { compile(in_loop, {.target = t})(a); }, line, {"update", "differ"});
}
