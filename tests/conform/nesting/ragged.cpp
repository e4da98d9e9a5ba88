// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of different lengths, and irregular programs in their natural form.
#include "conform/support.hpp"

#include <sinter/ragged.hpp>

#include <string>

using namespace sinter;
using conform::everywhere;
using conform::numbers;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;
using X = Delayed<Long>;
using Rows = std::vector<std::vector<Long>>;

/// The rows, the same on every target and with every strategy.
template <class T>
std::vector<std::vector<T>> everywhere(const Ragged<T>& rows) {
    const auto lengths = conform::everywhere(rows.lengths());
    const auto values = conform::everywhere(rows.values());
    return Ragged<T>(values, lengths).to_vectors();
}

Ragged<Long> positive_rows(Long rows, Long columns) {
    const auto m = from(numbers<Long>(rows * columns), shape(rows, columns));
    return vmap(ragged, [](X line) { return filter([](auto a) { return a > 0; }, line); }, m);
}

X first_of(const X& row) { return take(row, min(size(row), I(1))); }

}  // namespace

TEST_CASE("rows of different lengths", "[ragged]") {
    const auto ns = from(std::vector<Long>{3, 0, 5, 1});
    CHECK(everywhere(vmap(ragged, [](I n) { return iota(n); }, ns)) == Rows{{0, 1, 2}, {}, {0, 1, 2, 3, 4}, {0}});
    const auto none = from(std::vector<Long>{});
    CHECK(everywhere(vmap(ragged, [](I n) { return iota(n); }, none)).empty());
    const auto m = from(std::vector<Long>{5, -3, 9, 1, -7, 2, 8, -8, -1}, shape(3, 3));
    const auto kept = vmap(ragged, [](X line) { return filter([](auto v) { return v > 0; }, line); }, m);
    CHECK(everywhere(kept) == Rows{{5, 9}, {1, 2}, {8}});
    CHECK(everywhere(map([](auto v) { return v * 2; }, kept)) == Rows{{10, 18}, {2, 4}, {16}});
    CHECK(everywhere(sum(kept)).to_vector() == std::vector<Long>{14, 3, 8});
    CHECK(everywhere(inclusive_scan_segments(std::plus<>{}, kept)) == Rows{{5, 14}, {1, 3}, {8}});
    CHECK(everywhere(exclusive_scan_segments(std::plus<>{}, Long(1), kept, from_right)) == Rows{{10, 1}, {3, 1}, {1}});
}

TEST_CASE("rows that do not fit their values", "[ragged]") {
    const auto x = from(numbers<Long>(5));
    CHECK_THROWS_AS(run(sum(Ragged<Long>(x, from(std::vector<Long>{2, 2})))), ShapeError);
    CHECK_THROWS_AS(run(sum(Ragged<Long>(x, from(std::vector<Long>{6, -1})))), ShapeError);
    CHECK_THROWS_AS(run(vmap(ragged, [=](I n) { return take(x, n); }, from(std::vector<Long>{3, 6})).values()), ShapeError);
}

TEST_CASE("rows in a compiled function", "[ragged]") {
    auto upper = compile([](Delayed<double, 2> m, Exp<double> least) {
        const auto kept =
            vmap(ragged, [=](Delayed<double> line) { return filter([=](auto v) { return v >= least; }, line); }, m);
        return std::tuple(kept.values(), kept.lengths(), sum(kept));
    });
    auto [values, lengths, sums] = upper(from(std::vector<double>{1, 5, 2, 7, 0, 9}, shape(2, 3)), 2);
    CHECK(values.to_vector() == std::vector<double>{5, 2, 7, 9});
    CHECK(lengths.to_vector() == std::vector<Long>{2, 2});
    CHECK(sums.to_vector() == std::vector<double>{7, 16});
}

// The ten irregular patterns.

TEST_CASE("irregular: sums of iotas, triangles, ragged windows", "[ragged]") {
    const auto x = from(numbers<Long>(17));
    const auto values = x.to_vector();
    const auto sums = everywhere(vmap([](I n) { return sum(iota(n))(); }, iota(17))).to_vector();
    for (std::size_t n = 0; n < 17; ++n) CHECK(sums[n] == static_cast<Long>(n * (n - 1) / 2));

    const auto triangle = vmap(ragged, [=](I i) { return map([=](I j) { return x(i) * x(j); }, iota(i)); }, iota(17));
    const Rows products = everywhere(triangle);
    for (std::size_t i = 0; i < 17; ++i) {
        REQUIRE(products[i].size() == i);
        for (std::size_t j = 0; j < i; ++j) CHECK(products[i][j] == values[i] * values[j]);
    }
    const auto first = from(std::vector<Long>{0, 3, 3, 10}), last = from(std::vector<Long>{3, 3, 10, 17});
    const Rows windows = everywhere(vmap(ragged, [=](I a, I b) { return slice(x, range(a, b)); }, first, last));
    CHECK(windows[0] == std::vector<Long>(values.begin(), values.begin() + 3));
    CHECK(windows[1].empty());
    CHECK(windows[3] == std::vector<Long>(values.begin() + 10, values.end()));
}

TEST_CASE("irregular: filters kept per row, and rows sorted", "[ragged]") {
    const auto kept = positive_rows(6, 10);
    const Rows rows = everywhere(kept);
    Rows sorted = everywhere(vmap(ragged, [](X row) { return sort(row); }, kept));
    REQUIRE(sorted.size() == 6);
    for (std::size_t i = 0; i < 6; ++i) {
        auto expected = rows[i];
        std::sort(expected.begin(), expected.end());
        CHECK(sorted[i] == expected);
    }
}

TEST_CASE("irregular: quicksort, all parts of a level at once", "[ragged]") {
    auto unsorted = [](X values, X lengths) {
        auto falls = [](X row) {
            return any(
                map([](I a, I b) { return a > b; }, take(row, max(size(row) - 1, I(0))), drop(row, min(size(row), I(1)))))();
        };
        return any(vmap(falls, Ragged<Long>(values, lengths)))();
    };
    auto split = [](X values, X lengths) {
        const Ragged<Long> parts(values, lengths);
        auto pivot = [](X row) { return row(size(row) / 2); };
        auto below = [=](X row) { return filter([=](I v) { return v < pivot(row); }, row); };
        auto equal = [=](X row) { return filter([=](I v) { return v == pivot(row); }, row); };
        auto above = [=](X row) { return filter([=](I v) { return v > pivot(row); }, row); };
        const auto next = vmap(ragged, [=](X row) { return concat(concat(below(row), equal(row)), above(row)); }, parts);
        const auto [low, same, high] =
            unzip(vmap([=](X row) { return std::tuple(size(below(row)), size(equal(row)), size(above(row))); }, parts));
        const auto counts = transpose(stack(low, same, high));
        return std::tuple(next.values(), filter([](I n) { return n > 0; }, flatten(counts)));
    };
    for (Long n : {0, 1, 2, 9, 60}) {
        CAPTURE(n);
        const auto x = from(numbers<Long>(n));
        auto whole = filter([](I v) { return v > 0; }, fill(shape(1), n));
        const auto sorted = everywhere(std::get<0>(while_loop(unsorted, split, x, whole))).to_vector();
        auto expected = x.to_vector();
        std::sort(expected.begin(), expected.end());
        CHECK(sorted == expected);
    }
}

TEST_CASE("irregular: a sieve", "[ragged]") {
    const Long n = 60;
    const auto small = from(std::vector<Long>{2, 3, 5, 7});
    const auto multiples =
        vmap(ragged, [=](I p) { return map([=](I k) { return p * (k + 2); }, iota((n - 1) / p - 1)); }, small);
    auto crossed =
        scatter(fill(shape(n), true), multiples.values(), map([](auto) { return Exp<bool>(false); }, multiples.values()));
    auto primes = filter([=](I k) { return k > 1 && crossed(k); }, iota(n));
    CHECK(everywhere(primes).to_vector() ==
          std::vector<Long>{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59});
}

TEST_CASE("irregular: a breadth-first search by rows of neighbours", "[ragged]") {
    // A grid of 5 x 5 with edges to the right and down.
    std::vector<Long> first, degree, target;
    for (Long u = 0; u < 25; ++u) {
        first.push_back(static_cast<Long>(target.size()));
        if (u % 5 < 4) target.push_back(u + 1);
        if (u / 5 < 4) target.push_back(u + 5);
        degree.push_back(static_cast<Long>(target.size()) - first.back());
    }
    const auto begin = from(first), count = from(degree), to = from(target);
    auto next = [=](X level, X nodes, I step) {
        auto neighbours = vmap(ragged, [=](I u) { return slice(to, range(begin(u), begin(u) + count(u))); }, nodes);
        auto fresh = filter([=](I v) { return level(v) < 0; }, neighbours.values());
        return std::tuple(scatter(level, fresh, map([=](auto) { return step; }, fresh)), fresh, step + 1);
    };
    const X start = scatter(fill(shape(25), Long(-1)), fill(shape(1), Long(0)), fill(shape(1), Long(0)));
    auto found = while_loop([](X, X nodes, I) { return size(nodes) > 0; }, next, start, X(fill(shape(1), Long(0))), Long(1));
    const auto levels = everywhere(std::get<0>(found)).to_vector();
    for (std::size_t u = 0; u < 25; ++u) CHECK(levels[u] == static_cast<Long>(u % 5 + u / 5));
}

TEST_CASE("irregular: the words of a text", "[ragged]") {
    const std::string text = "  to be or  not to be ";
    const auto letters = from(std::vector<Long>(text.begin(), text.end()));
    const auto n = static_cast<Long>(text.size());
    auto is_letter = [=](I i) { return i >= 0 && i < n && letters(clamp(i, Long(0), n - 1)) != ' '; };
    auto first = filter([=](I i) { return is_letter(i) && !is_letter(i - 1); }, iota(n));
    auto last = filter([=](I i) { return is_letter(i) && !is_letter(i + 1); }, iota(n));
    const auto words = vmap(ragged, [=](I a, I b) { return slice(letters, range(a, b + 1)); }, first, last);
    std::string back;
    for (const auto& word : everywhere(vmap(ragged, [](X word) { return reverse(word); }, words)))
        back += std::string(word.begin(), word.end()) + "|";
    CHECK(back == "ot|eb|ro|ton|ot|eb|");
    CHECK(everywhere(words.lengths()).to_vector() == std::vector<Long>{2, 2, 2, 3, 2, 2});
    CHECK(everywhere(vmap([](X word) { return sum(first_of(word))(); }, words))(3) == 'n');
}

TEST_CASE("irregular: adaptive integration per point", "[ragged]") {
    // Intervals are halved until the trapezoidal rule agrees with that of their halves.
    using D = Delayed<double>;
    auto integral = [](Exp<double> c) {
        auto f = [=](Exp<double> x) { return 1.0 / (x * x + c); };
        auto refine = [=](D left, D width, Exp<double> total) {
            auto coarse = map([=](auto a, auto h) { return (f(a) + f(a + h)) * h / 2.0; }, left, width);
            auto fine = map([=](auto a, auto h) { return (f(a) + 2.0 * f(a + h / 2.0) + f(a + h)) * h / 4.0; }, left, width);
            auto done = map([](auto x, auto y) { return abs(x - y) < 1e-7; }, coarse, fine);
            auto open = map([](auto d) { return !d; }, done);
            auto half = map([](auto h) { return h / 2.0; }, compact(open, width));
            auto kept = compact(open, left);
            return std::tuple(concat(kept, map([](auto a, auto h) { return a + h; }, kept, half)), concat(half, half),
                              total + sum(map([](auto d, auto v) { return select(d, v, 0.0); }, done, fine))());
        };
        auto ends = while_loop([](D left, D, Exp<double>) { return size(left) > 0; }, refine, D(fill(shape(1), 0.0)),
                               D(fill(shape(1), 1.0)), Exp<double>(0.0));
        return std::get<2>(ends)();
    };
    const std::vector<double> points = {1, 0.25, 4};
    // Sums of floats are not the interpreter's to the last bit.
    std::vector<Target> targets = conform::targets();
    targets.push_back(Target::interpreter());
    for (const Target& target : targets)
        for (const Fusion fusion : conform::strategies) {
            const auto found = run(vmap(integral, from(points)), {.target = target, .fusion = fusion}).to_vector();
            for (std::size_t k = 0; k < points.size(); ++k)
                CHECK(found[k] == Approx(std::atan(1 / std::sqrt(points[k])) / std::sqrt(points[k])).epsilon(1e-5));
        }
}
