// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices of different shapes that are executed all at once, as segments: the results are those of the function applied to
// one slice after another, in a few kernels.
#include "conform/support.hpp"

#include <sinter/ragged.hpp>

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;

constexpr auto plus = [](auto a, auto b) { return a + b; };

/// Lengths of slices: none, one, only empty ones, some around the number of lanes.
const std::vector<std::vector<Long>> all_lengths = {{},        {0},          {1},       {5},
                                                    {0, 0, 0}, {3, 0, 1, 2}, {0, 7, 0}, {15, 16, 17, 0, 31, 33, 1, 64, 8}};

/// f of windows of `x` that begin at i and have these lengths: all at once, and one after another.
template <class T, class F>
void windows(const F& f, std::size_t most_kernels = 0) {
    const auto x = from(numbers<T>(80));
    const auto one = compile([&](Delayed<T> w) { return fill(shape(1), Exp<T>(f(w))); });
    for (const auto& lengths : all_lengths) {
        CAPTURE(lengths);
        const Array<Long> ns = from(lengths);
        auto window = [&](I i, I n) { return f(slice(x, range(i, i + n))); };
        const auto all = vmap(window, iota(static_cast<Long>(lengths.size())), ns);
        const auto result = everywhere(all).to_vector();
        std::vector<T> expected;
        for (std::size_t k = 0; k < lengths.size(); ++k) {
            const auto begin = static_cast<Long>(k);
            const Array<T> w = run(slice(x, range(begin, begin + lengths[k])));
            expected.push_back(one(w)(0));
        }
        require_same(expected, result);
        if (most_kernels != 0) CHECK(explain(all).clusters().size() <= most_kernels);
    }
}

/// The fold of what is given to it, in which the order matters.
template <class A>
auto in_order(const A& a) {
    using T = typename A::element_type;
    auto pairs = map([](auto v) { return std::tuple(T(3), v); }, a);
    return get<1>(fold(composition, std::tuple(T(1), T(0)), pairs)());
}

}  // namespace

TEMPLATE_TEST_CASE("folds of windows", "[irregular]", Long, std::int32_t, float, double) {
    windows<TestType>([](const auto& w) { return sum(w)(); }, 6);
    windows<TestType>([](const auto& w) { return fold([](auto a, auto b) { return max(a, b); }, TestType(-9), w)(); }, 6);
    windows<TestType>([](const auto& w) { return sum(w * w)() + fold(plus, TestType(1), reverse(w))(); }, 6);
}

TEST_CASE("folds of windows in order", "[irregular]") {
    windows<Long>([](const auto& w) { return in_order(w); }, 6);
    windows<std::int32_t>([](const auto& w) { return in_order(reverse(w)); }, 6);
}

TEST_CASE("scans of windows", "[irregular]") {
    windows<Long>([](const auto& w) { return in_order(inclusive_scan(plus, w)); });
    windows<Long>([](const auto& w) { return in_order(inclusive_scan(plus, Long(5), w)); });
    windows<Long>([](const auto& w) { return in_order(exclusive_scan(plus, Long(5), w)); });
    windows<Long>([](const auto& w) { return in_order(inclusive_scan(plus, Long(5), w, from_right)); });
    windows<Long>([](const auto& w) { return in_order(exclusive_scan(plus, Long(5), w, from_right)); });
    windows<Long>([](const auto& w) {
        auto pairs = map([](auto v) { return std::tuple(v, v + 1); }, w);
        auto scanned = inclusive_scan(composition, pairs);
        return in_order(map([](auto p) { return get<0>(p) * 5 + get<1>(p); }, scanned));
    });
    windows<float>([](const auto& w) { return sum(inclusive_scan(plus, inclusive_scan(plus, w)))(); });
}

TEST_CASE("scans and sorts along the axes of tables of different extents", "[irregular]") {
    const std::vector<Long> lengths = {0, 1, 5, 17, 2};
    const auto ns = from(lengths);
    auto scans = [](const auto& n) {
        auto table = generate(shape(n, 3, 2), [](I i, I j, I k) { return i * 5 % 7 - j * k; });
        auto down = inclusive_scan(plus, table, axis(0));
        auto across = exclusive_scan(plus, I(Long(2)), down, axis(1), from_right);
        auto states = recur([](I s, I x) { return s * 2 + x; }, I(Long(1)), across, axis(0));
        auto rows = sort(reshape(across, shape(n * 2, 3)));
        return in_order(flatten(states)) + in_order(flatten(down)) * in_order(flatten(sort(rows, descending) - rows));
    };
    const auto result = everywhere(vmap(scans, ns));
    CHECK(explain(vmap(scans, ns)).text().find("executed one after another") == std::string::npos);
    for (std::size_t k = 0; k < lengths.size(); ++k)
        CHECK(result(static_cast<Long>(k)) == compile([&](I n) { return fill(shape(1), scans(n)); })(lengths[k])(0));
}

TEST_CASE("recurrences along windows", "[irregular]") {
    windows<Long>([](const auto& w) { return in_order(recur([](I s, I x) { return s * s + x; }, I(Long(3)), w)); });
    windows<Long>([](const auto& w) { return in_order(recur([](I s, I x) { return s * 2 - x; }, size(w), w, from_right)); });
    windows<Long>([](const auto& w) {
        auto states = recur([](I s, I x, I y) { return s * 3 + x - y * s; }, I(Long(1)), w, reverse(w));
        return in_order(states) + in_order(filter([](auto v) { return v % 2 == 0; }, states));
    });
    windows<float>([](const auto& w) { return sum(recur([](auto s, auto x) { return x - s; }, 1.f, w))(); });
}

TEST_CASE("sorts of windows", "[irregular]") {
    windows<Long>([](const auto& w) { return in_order(sort(w)); });
    windows<Long>([](const auto& w) { return in_order(sort(w, descending)); });
    windows<float>([](const auto& w) { return sum(sort(w) * cast<float>(iota(size(w))))(); });
}

TEST_CASE("filters of windows", "[irregular]") {
    auto odd = [](auto v) { return v % 2 != 0; };
    auto positive = [](auto v) { return v > 0; };
    windows<Long>([=](const auto& w) { return in_order(filter(odd, w)); });
    windows<Long>([=](const auto& w) { return in_order(filter(positive, filter(odd, w))); });
    windows<Long>([=](const auto& w) { return in_order(filter(odd, inclusive_scan(plus, filter(positive, w)))); });
    windows<Long>([=](const auto& w) { return size(filter(odd, w)); });
    windows<Long>([=](const auto& w) { return in_order(sort(filter(positive, w))); });
}

TEST_CASE("rearrangements of windows", "[irregular]") {
    windows<Long>([](const auto& w) { return in_order(concat(w, reverse(w), fill(shape(2), Long(4)))); });
    windows<Long>([](const auto& w) { return in_order(rotate(w, 2)); });
    windows<Long>([](const auto& w) { return in_order(gather(reverse(iota(size(w))), w)); });
    windows<Long>(
        [](const auto& w) { return in_order(stencil([](auto f) { return f(-1) * 2 + f(1); }, boundary::clamp, w)); });
    windows<Long>([](const auto& w) { return in_order(scatter(fill(shape(size(w)), Long(2)), reverse(iota(size(w))), w)); });
    windows<Long>([](const auto& w) {
        return in_order(scatter(std::plus<>{}, fill(shape(11), Long(1)), map([](auto v) { return abs(v) % 11; }, w), w));
    });
}

TEST_CASE("loops over windows, whose states change their extents", "[irregular]") {
    using W = Delayed<Long>;
    windows<Long>([](const auto& w) {
        auto grown = for_loop(3, [](I i, W s) { return concat(s, fill(shape(1), i)); }, w);
        return in_order(grown);
    });
    windows<Long>([](const auto& w) {
        auto longer = for_loop(size(w) / 4, [](I i, W s) { return concat(fill(shape(i), i), s); }, w);
        return in_order(longer);
    });
    windows<Long>([](const auto& w) {
        auto left = while_loop([](W s) { return size(s) > 2; },
                               [](W s) { return filter([](auto v) { return v % 3 != 0; }, drop(s, 1)); }, w);
        return in_order(left) + size(left);
    });
    // The first element is compared with all others, in every step: it must not be read where a slice has none left.
    windows<Long>([](const auto& w) {
        auto [rest, sum] = while_loop([](W s, W) { return size(s) > 0; },
                                      [](W s, W so_far) {
                                          const auto first = s(I(0));
                                          return std::tuple(filter([=](auto v) { return v > first; }, s), so_far + first);
                                      },
                                      w, fill(shape(2), Long(0)));
        return in_order(sum) + size(rest);
    });
    windows<Long>(
        [](const auto& w) { return for_loop(size(w), [&](I i, I so_far) { return so_far * 3 + w(i); }, I(Long(1))); });
    windows<Long>([](const auto& w) {
        auto sorted = for_loop(2, [](I, W s) { return concat(sort(s), fill(shape(1), Long(-3))); }, w);
        return in_order(inclusive_scan(plus, sorted));
    });
}

TEST_CASE("loops with two states that change their extents alike, and unlike", "[irregular]") {
    using W = Delayed<Long>;
    const auto x = from(numbers<Long>(20));
    const auto few = [&](const auto& f) {
        everywhere(
            vmap([=](I i, I n) { return f(slice(x, range(i, i + n))); }, iota(4), from(std::vector<Long>{3, 0, 1, 6})));
    };
    const auto both = [](const std::tuple<W, W>& states) {
        return in_order(std::get<0>(states)) - 3 * in_order(std::get<1>(states));
    };
    const auto kept = [](const auto& mask, const auto& s) { return concat(compact(mask, s), fill(shape(1), Long(4))); };
    few([&](const auto& w) {
        auto alike = [&](W a, W b) {
            auto mask = map([](auto v) { return v % 3 != 0; }, a);
            return std::tuple(kept(mask, a), kept(mask, b + 1));
        };
        return both(for_loop(size(w) / 2, [&](I, W a, W b) { return alike(a, b); }, w, w * 2));
    });
    few([&](const auto& w) {
        auto unlike = [&](I i, W a, W b) { return std::tuple(concat(a, fill(shape(1), i)), concat(b, fill(shape(2), i))); };
        return both(for_loop(size(w) / 2, unlike, w, w * 2));
    });
    few([&](const auto& w) {
        auto grow = [&](I i, W a, W b) { return std::tuple(concat(a, fill(shape(1), i)), concat(b, fill(shape(1), i))); };
        return both(for_loop(size(w) / 2, grow, w, drop(w, min(size(w), I(1)))));
    });
}

TEST_CASE("branches in slices of different shapes", "[irregular]") {
    using W = Delayed<Long>;
    auto odd = [](auto v) { return v % 2 != 0; };
    windows<Long>([](const auto& w) {
        return in_order(cond(size(w) % 3 != 0, [=] { return W(w * 5); }, [=] { return reverse(inclusive_scan(plus, w)); }));
    });
    windows<Long>([=](const auto& w) {
        return cond(size(w) % 2 == 0, [=] { return in_order(sort(filter(odd, w))); }, [=] { return in_order(w); });
    });
    windows<Long>([=](const auto& w) {
        auto [a, b, n] = cond(
            size(w) > 2, [=] { return std::tuple(W(w + 1), filter(odd, w), w(I(2))); },
            [=] { return std::tuple(reverse(w), concat(w, w), size(w) * 100); });
        return in_order(a) + in_order(b) * 3 + n();
    });
    windows<Long>([=](const auto& w) {
        const auto inner = [=] {
            return cond(w(I(0)) > 0, [=] { return W(w * w); }, [=] { return exclusive_scan(plus, Long(2), w); });
        };
        return in_order(cond(size(w) > 3, inner, [=] { return W(w); }));
    });
    windows<Long>([=](const auto& w) {
        auto step = [=](I i, W s) {
            return cond((size(s) + i) % 2 == 0, [=] { return filter(odd, s); },
                        [=] { return concat(s, fill(shape(1), i)); });
        };
        return in_order(for_loop(size(w) % 7, step, W(w)));
    });
    const auto all = [](I n) {
        return sum(cond(n % 2 == 0, [=] { return iota(n); }, [=] { return reverse(iota(n)) * 2; }))();
    };
    CHECK(explain(vmap(all, from(all_lengths.back()))).text().find("executed one after another") == std::string::npos);
}

TEST_CASE("a side of a branch that no slice takes cannot fail", "[irregular]") {
    const auto x = from(numbers<Long>(20));
    const auto ns = from(std::vector<Long>{4, 0, 9});
    auto second = [=](I n) {
        const auto w = take(x, n);
        return cond(n > 1, [=] { return w * w(I(1)); }, [=] { return Delayed<Long>(w); });
    };
    everywhere(vmap([=](I n) { return in_order(second(n)); }, ns));
    auto third = [=](I n) {
        const auto w = take(x, n);
        return in_order(cond(n > 1, [=] { return w * w(I(5)); }, [=] { return Delayed<Long>(w); }));
    };
    for (const Target& target : {Target::interpreter(), Target::host(2)})
        CHECK_THROWS_WITH(run(vmap(third, ns), {.target = target}),
                          Catch::Contains("index 5 is out of range for axis 0 of extent 4"));
}

TEST_CASE("scans whose operators differ from slice to slice", "[irregular]") {
    // The operator is associative: the product of a and b in the ring whose element n is the unit.
    windows<Long>([](const auto& w) {
        const I n = size(w);
        auto product = [=](auto a, auto b) { return a * b + (a + b) * n + n * n - n; };
        return in_order(inclusive_scan(product, w)) + in_order(exclusive_scan(product, I(Long(3)), w, from_right));
    });
    windows<Long>([](const auto& w) {
        auto longest = [=](auto a, auto b) { return select(w(a) >= w(b), a, b); };
        return in_order(inclusive_scan(longest, iota(size(w))));
    });
    windows<Long>([](const auto& w) {
        const I n = size(w);
        return in_order(recur([=](I s, I v) { return s * n + v * w(n - 1); }, I(Long(1)), w));
    });
}

TEST_CASE("rows of different lengths in few kernels", "[irregular]") {
    const auto m = from(numbers<Long>(600), shape(60, 10));
    const auto rows = vmap(ragged, [](Delayed<Long> row) { return filter([](auto v) { return v > 0; }, row); }, m);
    everywhere(rows.values());
    everywhere(rows.lengths());
    CHECK(explain(rows.values()).clusters().size() <= 2);
    const auto ns = from(std::vector<Long>{3, 0, 5, 1});
    auto triangles = vmap(ragged, [](I n) { return vmap([](I i) { return sum(iota(i))(); }, iota(n)); }, ns);
    CHECK(run(everywhere(triangles.values())).to_vector() == std::vector<Long>{0, 0, 1, 0, 0, 1, 3, 6, 0});
    auto equal = vmap(ragged, [](Delayed<Long> row) { return reverse(row); }, m);
    CHECK(run(everywhere(equal.values())).to_vector() == run(reshape(reverse(m, -1), shape(600))).to_vector());
    auto recurrences = vmap(ragged, [](I n) { return recur([](I s, I x) { return s * 2 + x; }, Long(1), iota(n)); }, ns);
    CHECK(run(everywhere(recurrences.values())).to_vector() == std::vector<Long>{2, 5, 12, 2, 5, 12, 27, 58, 2});
}

TEST_CASE("gradients of functions of windows", "[irregular]") {
    const Array<double> x = from(std::vector<double>{1, 2, 3, 4, 5, 6});
    const auto begin = from(std::vector<Long>{0, 2, 3}), length = from(std::vector<Long>{2, 3, 0});
    auto squares = [&](const auto& f) {
        return grad([=](const Delayed<double>& y) {
            auto of = [=](I i, I n) { return f(slice(y, range(i, i + n))); };
            return sum(vmap([=](I i, I n) { return sum(of(i, n) * of(i, n))(); }, begin, length)) +
                   sum(vmap(ragged, of, begin, length).values());
        })(x);
    };
    CHECK(run(everywhere(squares([](const auto& w) { return w; }))).to_vector() == std::vector<double>{3, 5, 7, 9, 11, 0});
    CHECK(run(everywhere(squares([](const auto& w) { return sort(reverse(w)); }))).to_vector() ==
          std::vector<double>{3, 5, 7, 9, 11, 0});
    CHECK(run(everywhere(squares([](const auto& w) { return filter([](auto v) { return v > 2.0; }, w); }))).to_vector() ==
          std::vector<double>{0, 0, 7, 9, 11, 0});
}

TEST_CASE("reads outside of a slice", "[irregular]") {
    const auto x = from(numbers<Long>(20));
    const auto ns = from(std::vector<Long>{4, 2, 9});
    auto third = vmap([=](I n) { return sort(take(x, n))(I(3)); }, ns);
    for (const Target& target : {Target::interpreter(), Target::host(2)}) {
        CHECK_THROWS_AS(run(third, {.target = target}), IndexError);
        CHECK_THROWS_WITH(run(third, {.target = target}), Catch::Contains("index 3 is out of range for axis 0 of extent 2"));
        CHECK_THROWS_AS(
            run(vmap([](I n) { return sum(sort(iota(n)))(); }, from(std::vector<Long>{2, -1})), {.target = target}),
            ShapeError);
    }
}

TEST_CASE("explain says which slices are executed one after another, and why", "[irregular][explain]") {
    const auto ns = from(std::vector<Long>{3, 0, 5});
    auto sorted = [](I n) { return sum(sort(iota(n)))(); };
    auto clipped = [](I n) {
        auto places = map([](I i) { return i % 3; }, iota(n));
        return sum(scatter([=](I a, I b) { return min(a + b, n); }, fill(shape(3), I(Long(0))), places, places))();
    };
    CHECK(explain(vmap(sorted, ns)).text().find("executed one after another") == std::string::npos);
    const std::string text = explain(vmap(clipped, ns)).text();
    CHECK(text.find("Slices of different shapes that are executed one after another:\n  vmap at ") != std::string::npos);
    CHECK(text.find(": its operator differs from slice to slice") != std::string::npos);
}
