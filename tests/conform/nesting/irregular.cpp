// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nests whose slices have different shapes: the results are those of the interpreter, which executes slice after slice.
#include "conform/support.hpp"

#include <array>

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;
using X = Delayed<Long>;

const std::vector<Long> lengths = {3, 0, 5, 1, 8};

constexpr auto plus = [](auto a, auto b) { return a + b; };
constexpr auto most = [](auto a, auto b) { return max(a, b); };

}  // namespace

TEST_CASE("slices of different lengths", "[irregular]") {
    const auto ns = from(lengths);
    const auto x = from(numbers<Long>(8));
    CHECK(run(everywhere(vmap([](I n) { return sum(iota(n))(); }, ns))).to_vector() == std::vector<Long>{3, 0, 10, 0, 28});
    everywhere(vmap([=](I n) { return sum(take(x, n))(); }, ns));
    everywhere(vmap([=](I n) { return fold(most, Long(-9), map([](auto a) { return a * 3; }, drop(x, n)))(); }, ns));
    everywhere(vmap(
        [=](I n) { return fold(plus, Long(0), generate(shape(n, n), [](I i, I j) { return i * j; }), axes(0, 1))(); }, ns));
    everywhere(vmap([](I n) { return max(concat(iota(n), fill(shape(1), Long(-1))))(); }, ns));
    everywhere(vmap([=](I n) { return inclusive_scan(plus, Long(0), take(concat(x, x), n + 3))(n); }, ns));
    everywhere(vmap([=](I n) { return fold(most, Long(0), sort(reverse(take(x, n))))(); }, ns));
    everywhere(vmap([=](I n) { return take(concat(take(x, n), x), 4); }, ns));
    const auto none = from(std::vector<Long>{});
    CHECK(run(everywhere(vmap([](I n) { return sum(iota(n))(); }, none))).to_vector().empty());
}

TEST_CASE("windows", "[irregular]") {
    const auto x = from(numbers<Long>(20));
    for (Long width : {0, 1, 3, 20}) {
        CAPTURE(width);
        everywhere(vmap([=](I i) { return slice(x, range(i, i + width)); }, iota(21 - width)));
        everywhere(vmap([=](I i) { return sum(slice(x, range(i, i + width)))(); }, iota(21 - width)));
    }
    everywhere(vmap([=](I i) { return slice(x, range(i, i + 10, 3)); }, iota(5)));
    const auto m = reshape(x, shape(4, 5));
    everywhere(vmap([=](I i) { return row(m, i); }, from(std::vector<Long>{3, 0, 0, 2})));
    everywhere(vmap([=](I i) { return column(m, i % 5); }, iota(9)));
    everywhere(vmap([](X line, I i) { return slice(line, range(i, i + 2)); }, m, iota(4)));
    everywhere(vmap(
        [=](I i) {
            return vmap([=](I j) { return sum(slice(m, range(i, i + 2), range(j, j + 2)), axes(0, 1))(); }, iota(4));
        },
        iota(3)));
}

TEST_CASE("parts of a row that have all of its elements together", "[irregular]") {
    const auto m = from(numbers<Long>(30), shape(5, 6));
    const auto at = from(std::vector<Long>{0, 5, 2, 3, 1});
    const auto without = [](X line, I i) { return concat(take(line, i), drop(line, i + 1)); };
    const auto turned = [](X line, I i) { return concat(drop(line, i), take(line, i)); };
    const auto widened = [](X line, I i) { return concat(concat(take(line, i), 2 * take(line, 2)), drop(line, i)); };
    const auto swapped = [](X line, I i) {
        auto last = size(line) - i;
        return concat(slice(line, range(last, size(line))), take(line, last));
    };
    CHECK(everywhere(vmap(without, m, at)).shape() == std::array<Long, 2>{5, 5});
    CHECK(everywhere(vmap(turned, m, at)).shape() == std::array<Long, 2>{5, 6});
    CHECK(everywhere(vmap(widened, m, at)).shape() == std::array<Long, 2>{5, 8});
    CHECK(everywhere(vmap(swapped, m, at)).shape() == std::array<Long, 2>{5, 6});
    const auto compiled = compile([=](Delayed<Long, 2> m, X at) { return vmap(without, m, at); });
    require_same(run(vmap(without, m, at)).to_vector(), compiled(m, at).to_vector());
    // A place outside of the row is an error all the same.
    for (const Target& target : {Target::interpreter(), Target::host(2)}) {
        CHECK_THROWS_AS(run(vmap(without, m, at + 1), {.target = target}), Error);
        CHECK_THROWS_AS(run(vmap(turned, m, at - 1), {.target = target}), Error);
    }
}

TEST_CASE("windows that leave the array", "[irregular]") {
    const auto x = from(numbers<Long>(8));
    const auto window = [=](Long count) { return vmap([=](I i) { return sum(slice(x, range(i, i + 3)))(); }, iota(count)); };
    everywhere(window(6));
    for (const Target& target : {Target::interpreter(), Target::host(2)}) {
        CHECK_THROWS_AS(run(window(7), {.target = target}), ShapeError);
        CHECK_THROWS_WITH(run(window(7), {.target = target}), Catch::Contains("slice: out of range, axis 0: 9 exceeds 8"));
        CHECK_THROWS_AS(run(vmap([](I n) { return sum(iota(n))(); }, from(std::vector<Long>{2, -1})), {.target = target}),
                        ShapeError);
    }
    // The first slice that fails is named, whether sizes grow evenly from slice to slice or not.
    const auto at = [](auto begin, auto end, Long slices) {
        return vmap([=](I i) { return sum(slice(from(numbers<Long>(8)), range(begin(i), end(i))))(); }, iota(slices));
    };
    const auto apart = [=](auto f, auto g, Long slices) {
        return vmap([=](I i) { return sum(take(x, f(i)) + take(x, g(i)))(); }, iota(slices));
    };
    const auto fails = [](const auto& program, const char* what) {
        for (const Target& target : {Target::interpreter(), Target::host(2)})
            CHECK_THROWS_WITH(run(program, {.target = target}), Catch::Contains(what));
    };
    const auto zero = [](I i) { return i - i; };
    everywhere(at(zero, [](I i) { return i * 3; }, 3));
    fails(at(zero, [](I i) { return i * 3; }, 6), "9 exceeds 8");
    fails(at(zero, [](I i) { return i * 3 + 1; }, 6), "10 exceeds 8");
    fails(at(zero, [](I i) { return 9 - i; }, 6), "9 exceeds 8");
    everywhere(at(zero, [](I i) { return 8 - i; }, 9));
    fails(at([](I i) { return 3 - i; }, [](I i) { return i - i + 4; }, 6), "axis 0: -1");
    everywhere(at([](I i) { return 3 - i; }, [](I i) { return i - i + 4; }, 4));
    fails(at(zero, [](I i) { return i * i; }, 6), "9 exceeds 8");
    everywhere(apart([](I i) { return i; }, [](I i) { return i + 1 - 1; }, 8));
    fails(apart([](I i) { return i; }, [](I i) { return i * 2; }, 3), "extents 2 and 1 differ");
    fails(apart([](I i) { return i; }, [](I i) { return i + 1; }, 3), "extents 1 and 0 differ");
    everywhere(apart([](I i) { return i + 2; }, [](I i) { return i * 2 + 2; }, 1));
    everywhere(at(zero, [](I i) { return i + 100; }, 0));
    // A side that no slice takes is not checked.
    const auto guarded = vmap(
        [=](I i) { return cond(i < 6, [=] { return sum(slice(x, range(i, i + 3))); }, [=] { return sum(x); }); }, iota(9));
    everywhere(guarded);
}

TEST_CASE("ragged windows and triangles", "[irregular]") {
    const auto x = from(numbers<Long>(17));
    const auto first = from(std::vector<Long>{0, 3, 3, 10}), last = from(std::vector<Long>{3, 3, 10, 17});
    everywhere(vmap([=](I a, I b) { return sum(slice(x, range(a, b)))(); }, first, last));
    everywhere(vmap([=](I i) { return sum(vmap([=](I j) { return x(j) * i; }, iota(i)))(); }, iota(17)));
    everywhere(
        vmap([=](I i) { return fold(plus, Long(0), vmap([=](I j) { return sum(slice(x, range(j, i)))(); }, iota(i)))(); },
             iota(9)));
}

TEST_CASE("filters, and loops whose states grow, in every slice", "[irregular]") {
    const auto m = from(numbers<Long>(60), shape(6, 10));
    const auto positive = [](X line) { return filter([](auto a) { return a > 0; }, line); };
    everywhere(
        vmap([=](X line) { return fold(most, Long(0), map([](auto a) { return a * 2; }, sort(positive(line))))(); }, m));
    everywhere(vmap([=](X line) { return size(positive(line)); }, m));
    everywhere(vmap(
        [](I n) {
            auto grown = for_loop(n, [](I i, X s) { return concat(s, fill(shape(1), i)); }, fill(shape(1), Long(7)));
            return sum(grown)();
        },
        from(lengths)));
    // The sieve: what is left of the multiples of each prime.
    everywhere(vmap(
        [](I n) {
            auto numbers = filter([&](I k) { return k % n != 0; }, iota(50));
            return sum(filter([](I k) { return k % 2 == 1; }, numbers))();
        },
        from(std::vector<Long>{2, 3, 5, 7})));
}

TEST_CASE("slices without elements have no least or greatest element", "[irregular]") {
    const auto m = from(std::vector<Long>{1, 2, 3, -1, -2, -3, 4, -5, 6}, shape(3, 3));
    const auto above = [](I least) { return [=](X line) { return filter([=](auto a) { return a > least; }, line); }; };
    auto check = [](const std::string& name, const auto& program) {
        for (const Target& target : targets())
            for (Fusion fusion : strategies) {
                CAPTURE(name, fusion);
                CHECK_THROWS_WITH(run(program, {.target = target, .fusion = fusion}),
                                  Catch::Contains(name + ", axis 0: there is no element"));
            }
        CHECK_THROWS_AS(run(program, {.target = Target::interpreter()}), ShapeError);
    };
    check("max", vmap([=](X line) { return max(above(I(0))(line))(); }, m));
    check("min", vmap([=](X line, I n) { return min(take(line, n))(); }, m, from(std::vector<Long>{1, 0, 2})));
    check("argmax", vmap([=](X line) { return argmax(above(I(0))(line))(); }, m));
    check("fold1", vmap([=](X line) { return fold1(plus, above(I(0))(line))(); }, m));
    check("max", vmap([=](X line) { return vmap([=](I a) { return max(above(a)(line))(); }, line); }, m));
    check("max", vmap([=](X line) { return for_loop(2, [=](I i, I s) { return s + max(above(i)(line))(); }, I(0)); }, m));

    everywhere(vmap([=](X line) { return max(above(I(-9))(line))(); }, m));
    everywhere(vmap([=](X line) { return vmap([=](I a) { return max(above(a - 1)(line))(); }, line); }, m));
    everywhere(vmap([=](X line) { return max(above(I(0))(line))(); }, from(std::vector<Long>{}, shape(0, 3))));
    // A side that no such slice takes is not checked.
    const auto guarded = [=](X line) {
        const auto kept = above(I(0))(line);
        return cond(size(kept) > 0, [=] { return max(kept)(); }, [=] { return I(-7); });
    };
    CHECK(everywhere(vmap(guarded, m)).to_vector() == std::vector<Long>{3, -7, 6});
}
