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

TEST_CASE("lengths that do not add up", "[segments]") {
    Array<float> x = from(numbers<float>(5));
    for (int last : {1, 4}) {
        auto lengths = from(std::vector<int>{2, last});
        REQUIRE_THROWS_AS(run(fold_segments(std::plus<>{}, 0.f, x, lengths)), ShapeError);
        REQUIRE_THROWS_AS(run(inclusive_scan_segments(std::plus<>{}, x, lengths)), ShapeError);
    }
}

TEST_CASE("negative lengths", "[segments]") {
    const Array<float> values = from(std::vector<float>{1, 2, 3, 4, 5, 6});
    const Array<std::int64_t> lengths = from(std::vector<std::int64_t>{-1, 7});
    for (const Target& target : {Target::interpreter(), Target::host(1), Target::host(2)}) {
        REQUIRE_THROWS_AS(run(fold_segments(std::plus<>{}, 0.f, values, lengths), {.target = target}), IndexError);
        REQUIRE_THROWS_AS(run(inclusive_scan_segments(std::plus<>{}, values, lengths), {.target = target}), IndexError);
        REQUIRE_THROWS_AS(
            run(expand(lengths, [](auto v, auto) { return v; }, take(values, 2)), {.target = target}), IndexError);
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
