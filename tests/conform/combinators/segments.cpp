// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Irregular nesting: folds and scans of segments, expansion.
#include "conform/support.hpp"

using namespace sinter;
using namespace conform;

namespace {

/// Lengths that add up to their sum, with empty segments among them.
std::vector<std::int32_t> some_lengths(std::int64_t segments) {
    auto lengths = numbers<std::int32_t>(segments, 3);
    for (auto& length : lengths) length = length < 0 ? 0 : length * 3;
    return lengths;
}

}  // namespace

TEST_CASE("folds and scans of segments", "[segments]") {
    auto last_nonzero = [](auto l, auto r) { return select(r != 0, r, l); };
    for (std::int64_t segments : {0, 1, 2, 7, 33, 1000}) {
        CAPTURE(segments);
        auto lengths = some_lengths(segments);
        auto hx = numbers<std::int64_t>(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}));
        std::vector<std::int64_t> sums, prefixes;
        std::size_t next = 0;
        for (std::int32_t length : lengths) {
            std::int64_t total = 0;
            for (std::int32_t i = 0; i < length; ++i) prefixes.push_back(total += hx[next++]);
            sums.push_back(total + 10);
        }
        Array<std::int64_t> x = from(hx);
        Array<std::int32_t> l = from(lengths);
        require_same(sums, everywhere(fold_segments(std::plus<>{}, 10, x, l)).to_vector());
        require_same(prefixes, everywhere(inclusive_scan_segments(std::plus<>{}, x, l)).to_vector());
        everywhere(fold_segments(last_nonzero, 10, x, l));
        everywhere(inclusive_scan_segments(last_nonzero, x, l));
    }
}

namespace {

const auto last_nonzero_value = [](int x, int y) { return y != 0 ? y : x; };

template <class T>
struct Scanned {
    std::vector<T> inclusive, started, exclusive, totals;
};

/// Scans of the segments of x, one element after another.
template <class T, class Op>
Scanned<T> scanned(Op op, T init, const std::vector<T>& x, const std::vector<std::int32_t>& lengths, bool from_right) {
    Scanned<T> result{x, x, x, {}};
    std::size_t start = 0;
    auto combined = [&](const T& first, const T& then) { return from_right ? op(then, first) : op(first, then); };
    for (std::int32_t signed_length : lengths) {
        const auto length = static_cast<std::size_t>(signed_length);
        T total = init, own = init;
        for (std::size_t step = 0; step < length; ++step) {
            const std::size_t i = start + (from_right ? length - 1 - step : step);
            own = step == 0 ? x[i] : combined(own, x[i]);
            result.exclusive[i] = total;
            total = combined(total, x[i]);
            result.inclusive[i] = own;
            result.started[i] = total;
        }
        result.totals.push_back(total);
        start += length;
    }
    return result;
}

template <class T, class Op, class... From>
void require_scans(Op op, T init, const std::vector<T>& hx, const std::vector<std::int32_t>& lengths, From... from_there) {
    const auto expected = scanned(op, init, hx, lengths, sizeof...(From) > 0);
    const Array<T> x = from(hx);
    const Array<std::int32_t> l = from(lengths);
    require_same(expected.inclusive, everywhere(inclusive_scan_segments(op, x, l, from_there...)).to_vector());
    require_same(expected.started, everywhere(inclusive_scan_segments(op, init, x, l, from_there...)).to_vector());
    require_same(expected.exclusive, everywhere(exclusive_scan_segments(op, init, x, l, from_there...)).to_vector());
    auto [before, totals] = scan_with_total_segments(op, init, x, l, from_there...);
    require_same(expected.exclusive, everywhere(before).to_vector());
    require_same(expected.totals, everywhere(totals).to_vector());
    for (Target target : targets()) {
        auto [a, b] = run(std::tuple(before, totals), {.target = target});
        require_same(expected.exclusive, a.to_vector());
        require_same(expected.totals, b.to_vector());
    }
}

}  // namespace

TEST_CASE("scans of segments: every form, both directions", "[segments]") {
    using Function = std::tuple<std::uint32_t, std::uint32_t>;
    auto subtract_products = [](const auto& x, const auto& y) { return x + y - x * y; };  // (1 - x)(1 - y) = 1 - result
    for (std::int64_t segments : {0, 1, 2, 7, 33, 1000}) {
        CAPTURE(segments);
        const auto lengths = some_lengths(segments);
        const auto count = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
        const auto a = numbers<std::uint32_t>(count), b = numbers<std::uint32_t>(count, 5);
        std::vector<Function> functions;
        for (std::size_t i = 0; i < a.size(); ++i) functions.emplace_back(a[i] * 2 + 1, b[i]);
        require_scans(composition, Function(3, 7), functions, lengths);
        require_scans(composition, Function(3, 7), functions, lengths, from_right);
        require_scans(subtract_products, std::uint32_t{5}, a, lengths);
        require_scans(subtract_products, std::uint32_t{5}, a, lengths, from_right);
    }
    const std::vector<std::int32_t> all_empty(9);
    require_scans(composition, Function(3, 7), std::vector<Function>(), all_empty);
    require_scans(composition, Function(3, 7), std::vector<Function>(), all_empty, from_right);
}

TEST_CASE("scans of segments: initial values that are computed, literals, arrays that are", "[segments]") {
    const auto lengths = some_lengths(33);
    const Array<float> x = from(numbers<float>(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0})));
    const Array<std::int32_t> l = from(lengths);
    auto larger = [](auto a, auto b) { return max(a, b); };
    everywhere(exclusive_scan_segments(larger, sum(x), x * 2.f, l));
    everywhere(inclusive_scan_segments(larger, -1, map([](auto v) { return v - 3; }, x), l, from_right));
    auto [before, totals] = scan_with_total_segments(larger, 0, x + 1.f, l * 1);
    everywhere(sum(before) + sum(totals));
    auto compiled = compile([=](Delayed<float> a, Delayed<std::int32_t> n, Exp<float> init) {
        return exclusive_scan_segments(larger, init, a, n);
    });
    require_same(run(exclusive_scan_segments(larger, 2.f, x, l)).to_vector(), compiled(x, l, 2.f).to_vector());
}

namespace {

using Affine = std::tuple<std::uint32_t, std::uint32_t>;

/// Lengths about which folds of segments could be wrong: they cut arrays at multiples of 1024 elements.
std::vector<std::vector<std::int64_t>> lengths_near_cuts() {
    std::vector<std::int64_t> ones(5000, 1), giant(300, 2);
    giant[123] = 70'001;
    return {{1023},
            {1024},
            {1025},
            {2048},
            {1024, 1024, 1024},
            {1, 1023, 0, 0, 1024, 0},
            {0, 0, 3071, 1, 0, 1, 5000, 0},
            {512, 1024, 1024, 512},
            {0, 9000, 0},
            ones,
            giant};
}

std::int64_t total(const std::vector<std::int64_t>& lengths) {
    return std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
}

std::vector<Affine> some_maps(std::int64_t count) {
    const auto a = numbers<std::uint32_t>(count), b = numbers<std::uint32_t>(count, 5);
    std::vector<Affine> maps;
    for (std::size_t i = 0; i < a.size(); ++i) maps.emplace_back(a[i] * 2 + 1, b[i]);
    return maps;
}

std::vector<Affine> folded(Affine init, const std::vector<Affine>& maps, const std::vector<std::int64_t>& lengths) {
    std::vector<Affine> result;
    std::size_t next = 0;
    for (std::int64_t length : lengths) {
        Affine so_far = init;
        for (std::int64_t k = 0; k < length; ++k) so_far = composition(so_far, maps[next++]);
        result.push_back(so_far);
    }
    return result;
}

}  // namespace

TEST_CASE("folds of segments that are cut, by an operator that does not commute", "[segments]") {
    for (const auto& lengths : lengths_near_cuts()) {
        CAPTURE(lengths.size(), lengths[0]);
        const auto maps = some_maps(total(lengths));
        const Array<Affine> x = from(maps);
        const Array<std::int64_t> l = from(lengths);
        const Affine init(3, 7);
        require_same(folded(init, maps, lengths), everywhere(fold_segments(composition, init, x, l)).to_vector());
        auto twice = [](auto map) { return composition(map, map); };
        std::vector<Affine> squares;
        for (const Affine& map : maps) squares.push_back(composition(map, map));
        require_same(folded(init, squares, lengths),
                     everywhere(fold_segments(composition, init, map(twice, x), l)).to_vector());
    }
}

TEST_CASE("folds of millions of segments, and of one", "[segments]") {
    const std::int64_t count = 2'000'003;
    const auto maps = some_maps(count);
    const Array<Affine> x = from(maps);
    const std::vector<std::int64_t> ones(static_cast<std::size_t>(count), 1), one{count};
    for (const auto& lengths : {ones, one}) {
        const auto expected = folded(Affine(3, 7), maps, lengths);
        for (Target target : targets())
            require_same(expected,
                         run(fold_segments(composition, Affine(3, 7), x, from(lengths)), {.target = target}).to_vector());
    }
}

TEST_CASE("what segments are folded of is made where it is read", "[segments]") {
    const std::vector<std::int64_t> lengths{3, 0, 2000, 7, 1500};
    const std::int64_t n = total(lengths);
    const Array<std::int64_t> l = from(lengths), x = from(numbers<std::int64_t>(n)), y = from(numbers<std::int64_t>(50, 3));
    const Array<std::int64_t> at = run(map([](auto i) { return i * 7 % 50; }, iota(n)));
    auto sums = [&](const auto& a) { return fold_segments(std::plus<>{}, 0, a, l); };
    for (const auto& e : {sums(x), sums(x * 2 + 1), sums(x * gather(at, y)), sums(reverse(x) - at)}) {
        CHECK(explain(e).clusters().size() == 3);
        everywhere(e);
    }
    const auto shared = x * gather(at, y);
    auto [folds, products] = run(std::tuple(sums(shared), shared));
    require_same(run(sums(products)).to_vector(), folds.to_vector());
    everywhere(sums(shared) + fold_segments([](auto a, auto b) { return max(a, b); }, 0, shared, l));
    const Array<std::int64_t> outside = from(std::vector<std::int64_t>(static_cast<std::size_t>(n), 50));
    REQUIRE_THROWS_AS(run(sums(x * gather(outside, y))), IndexError);
}

TEST_CASE("segments of rows", "[segments]") {
    const auto lengths = some_lengths(7);
    const Array<std::int32_t> l = from(lengths);
    const std::int64_t columns = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
    auto last_nonzero = [](auto x, auto y) { return select(y != 0, y, x); };
    for (std::int64_t rows : {0, 1, 3}) {
        const auto hx = numbers<int>(rows * columns);
        const Array<int, 2> x = from(hx, shape(rows, columns));
        auto sums = everywhere(vmap([&](Delayed<int> row) { return fold_segments(std::plus<>{}, 10, row, l); }, x));
        auto before = everywhere(
            vmap([&](Delayed<int> row) { return exclusive_scan_segments(last_nonzero, 3, row, l, from_right); }, x));
        for (std::int64_t i = 0; i < rows; ++i) {
            const std::vector<int> row(hx.begin() + i * columns, hx.begin() + (i + 1) * columns);
            auto expected = scanned(last_nonzero_value, 3, row, lengths, true).exclusive;
            for (std::int64_t j = 0; j < columns; ++j) REQUIRE(before(i, j) == expected[static_cast<std::size_t>(j)]);
            auto totals = scanned(std::plus<>{}, 10, row, lengths, false).totals;
            for (std::int64_t s = 0; s < 7; ++s) REQUIRE(sums(i, s) == totals[static_cast<std::size_t>(s)]);
        }
    }
}

TEST_CASE("slices with segments of one array, by initial values and lengths of their own", "[segments]") {
    const std::vector<std::int64_t> lengths{2, 0, 2000, 3, 1100, 2, 3, 1100, 0, 2000};
    const std::vector<std::int64_t> values = numbers<std::int64_t>(3105);
    const Array<std::int64_t> x = from(values);
    const Array<std::int64_t, 2> l = from(lengths, shape(2, 5));
    auto doubled = values;
    for (std::int64_t& v : doubled) v *= 2;
    auto row_of = [&](std::int64_t row) {
        return std::vector<std::int32_t>(lengths.begin() + row * 5, lengths.begin() + (row + 1) * 5);
    };
    auto by_lengths =
        everywhere(vmap([&](Delayed<std::int64_t> row) { return fold_segments(std::plus<>{}, 7, x * 2, row); }, l));
    auto by_inits = everywhere(
        vmap([&](Exp<std::int64_t> init) { return fold_segments(std::plus<>{}, init, x * 2, from(row_of(0))); }, iota(2)));
    for (std::int64_t row = 0; row < 2; ++row) {
        const auto own = scanned(std::plus<>{}, std::int64_t{7}, doubled, row_of(row), false).totals;
        const auto same = scanned(std::plus<>{}, row, doubled, row_of(0), false).totals;
        for (std::int64_t s = 0; s < 5; ++s) {
            REQUIRE(by_lengths(row, s) == own[static_cast<std::size_t>(s)]);
            REQUIRE(by_inits(row, s) == same[static_cast<std::size_t>(s)]);
        }
    }
}

TEST_CASE("lengths that do not add up", "[segments]") {
    Array<float> x = from(numbers<float>(5));
    for (int last : {1, 4}) {
        auto lengths = from(std::vector<int>{2, last});
        REQUIRE_THROWS_AS(run(fold_segments(std::plus<>{}, 0.f, x, lengths)), ShapeError);
        REQUIRE_THROWS_AS(run(inclusive_scan_segments(std::plus<>{}, x, lengths)), ShapeError);
        REQUIRE_THROWS_AS(run(inclusive_scan_segments(std::plus<>{}, x, lengths, from_right)), ShapeError);
        REQUIRE_THROWS_AS(run(exclusive_scan_segments(std::plus<>{}, 0.f, x, lengths)), ShapeError);
        REQUIRE_THROWS_AS(run(std::get<1>(scan_with_total_segments(std::plus<>{}, 0.f, x, lengths))), ShapeError);
    }
}

TEST_CASE("expansion", "[segments]") {
    for (std::int64_t n : {0, 1, 2, 7, 33, 1000}) {
        CAPTURE(n);
        auto counts = some_lengths(n);
        auto hx = numbers<std::int64_t>(n, 8);
        std::vector<std::int64_t> expected;
        for (std::size_t i = 0; i < hx.size(); ++i)
            for (std::int32_t j = 0; j < counts[i]; ++j) expected.push_back(hx[i] * 100 + j);
        Array<std::int64_t> x = from(hx);
        auto f = [](Exp<std::int64_t> v, Exp<std::int64_t> j) { return v * 100 + j; };
        require_same(expected, everywhere(expand(from(counts), f, x)).to_vector());
        everywhere(expand(3, f, x));
        everywhere(expand([](auto v) { return select(v > 0, v, 0); }, f, x));
        everywhere(sum(expand(from(counts), f, x)));
    }
    REQUIRE_THROWS_AS(expand(iota(3), [](auto v, auto) { return v; }, iota(4)), ShapeError);
}

TEST_CASE("segments in branches and loops", "[segments]") {
    for (std::int64_t segments : {0, 1, 7, 33}) {
        auto lengths = some_lengths(segments);
        Array<std::int64_t> x =
            from(numbers<std::int64_t>(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0})));
        Array<std::int32_t> l = from(lengths);
        everywhere(cond(sum(x) > 0, [&] { return inclusive_scan_segments(std::plus<>{}, x, l); }, [&] { return x + 1; }));
        auto f = [](Exp<std::int64_t> v, Exp<std::int64_t> j) { return v - j; };
        auto body = [&](auto, Delayed<std::int64_t, 0> s) {
            return sum(expand([=](auto v) { return abs(v + s()) % 3; }, f, x));
        };
        everywhere(for_loop(3, body, fill(shape(), std::int64_t{1})));
    }
}

TEST_CASE("segments of what a loop has computed", "[segments]") {
    auto lengths = some_lengths(33);
    Array<std::int64_t> x = from(numbers<std::int64_t>(std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0})));
    auto body = [](auto i, Delayed<std::int64_t> s) {
        for (int k = 0; k < 12; ++k) s = force(reverse(s) * 3 + i);
        return s;
    };
    everywhere(fold_segments(std::plus<>{}, 0, for_loop(2, body, x), from(lengths)));
}
