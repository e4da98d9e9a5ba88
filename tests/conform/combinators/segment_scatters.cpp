// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters with an operator at the numbers of segments, which are folds of the segments.
#include "conform/support.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;

/// Lengths with empty segments at the front, in between and at the end, and one of `longest`.
std::vector<Long> lengths_of(Long count, Long longest) {
    std::vector<Long> lengths(static_cast<std::size_t>(count));
    for (Long i = 0; i < count; ++i) lengths[static_cast<std::size_t>(i)] = std::max(Long(0), i * 5 % 7 - 2);
    if (count > 0) lengths[static_cast<std::size_t>(count / 2)] = longest;
    return lengths;
}

Delayed<Long, 1> numbers_of(const Array<Long>& lengths) {
    const Delayed<Long, 1> each = lengths;
    return expand([=](I i) { return each(i); }, [](I i, I) { return i; }, iota(lengths.size()));
}

template <class T>
void sums(Long count, Long longest) {
    CAPTURE(count, longest);
    const std::vector<Long> sizes = lengths_of(count, longest);
    const Long total = std::accumulate(sizes.begin(), sizes.end(), Long(0));
    const Array<Long> lengths = from(sizes);
    const Array<T> values = from(numbers<T>(total)), start = from(numbers<T>(count, 5));
    const auto numbers = numbers_of(lengths);
    everywhere(histogram(count, std::plus<>{}, T(0), numbers, values));
    everywhere(scatter(std::plus<>{}, start, numbers, values + values));
    everywhere(scatter([](auto a, auto b) { return max(a, b); }, start, numbers, values));
}

}  // namespace

TEST_CASE("sums by the numbers of segments", "[segment_scatters]") {
    for (Long count : {0, 1, 2, 9, 100})
        for (Long longest : {0, 1, 1023, 1024, 1025, 5000}) sums<Long>(count, longest);
    sums<double>(300, 2500);
    sums<float>(40, 70);
    sums<std::uint8_t>(40, 2100);
}

TEST_CASE("pairs by the numbers of segments, and several sums", "[segment_scatters]") {
    const std::vector<Long> sizes = lengths_of(50, 3000);
    const Long total = std::accumulate(sizes.begin(), sizes.end(), Long(0));
    const Array<Long> lengths = from(sizes), values = from(numbers<Long>(total));
    const auto numbers = numbers_of(lengths);
    const auto plus = [](auto a, auto b) {
        auto [x, n] = a;
        auto [y, m] = b;
        return std::tuple(x + y, max(n, m));
    };
    const auto pairs = map([](I x) { return std::tuple(x * x, x); }, values);
    const auto both = histogram(50, plus, std::tuple(Long(3), Long(-9)), numbers, pairs);
    everywhere(map([](I x, I n) { return x * 1000 + n; }, both));
    everywhere(histogram(50, std::plus<>{}, Long(0), numbers, values) -
               histogram(50, std::multiplies<>{}, Long(1), numbers, values));
}

TEST_CASE("not by the numbers of segments: more bins, shifted numbers, elements of them", "[segment_scatters]") {
    const std::vector<Long> sizes = lengths_of(20, 40);
    const Long total = std::accumulate(sizes.begin(), sizes.end(), Long(0));
    const Array<Long> lengths = from(sizes), values = from(numbers<Long>(total));
    const auto numbers = numbers_of(lengths);
    everywhere(histogram(25, std::plus<>{}, Long(0), numbers, values));
    everywhere(histogram(21, std::plus<>{}, Long(0), numbers + Long(1), values));
    everywhere(histogram(20, std::plus<>{}, Long(0), take(numbers, 30), take(values, 30)));
    for (Target target : targets())
        CHECK_THROWS_AS(sinter::run(histogram(15, std::plus<>{}, Long(0), numbers, values), {.target = target}), IndexError);
}

TEST_CASE("negative lengths, and values of another number", "[segment_scatters]") {
    const Array<Long> lengths = from(std::vector<Long>{3, -1, 2}), values = from(numbers<Long>(5));
    for (Target target : targets())
        CHECK_THROWS_AS(sinter::run(histogram(3, std::plus<>{}, Long(0), numbers_of(lengths), values), {.target = target}),
                        ShapeError);
    const Array<Long> others = from(std::vector<Long>{3, 1, 2});
    for (Target target : targets())
        CHECK_THROWS_AS(sinter::run(histogram(3, std::plus<>{}, Long(0), numbers_of(others), values), {.target = target}),
                        ShapeError);
}
