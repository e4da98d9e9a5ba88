// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds of few long slices beside short ones: the long ones are folded in pieces.
#include "conform/support.hpp"

#include <sinter/ragged.hpp>

using namespace sinter;
using namespace conform;

namespace {

using Long = std::int64_t;
using I = Exp<Long>;

/// Lengths around those from which on slices are divided, and around multiples of the pieces.
const std::vector<std::vector<Long>> all_lengths = {
    {4097}, {4096, 4097}, {0, 9000, 3, 0, 5120, 5119}, {1, 8191, 8192, 8193}};

/// f of windows of x that begin at 2 i: all at once, and one after another.
template <class T, class F>
void windows(const F& f) {
    const auto x = from(numbers<T>(9100));
    const auto one = compile([&](Delayed<T> w) { return fill(shape(1), Exp<T>(f(w))); });
    for (const auto& lengths : all_lengths) {
        CAPTURE(lengths);
        const Array<Long> ns = from(lengths);
        auto window = [&](I i, I n) { return f(slice(x, range(2 * i, 2 * i + n))); };
        const auto result = everywhere(vmap(window, iota(static_cast<Long>(lengths.size())), ns)).to_vector();
        std::vector<T> expected;
        for (std::size_t k = 0; k < lengths.size(); ++k) {
            const auto begin = 2 * static_cast<Long>(k);
            const Array<T> w = run(slice(x, range(begin, begin + lengths[k])));
            expected.push_back(one(w)(0));
        }
        require_same(expected, result);
    }
}

template <class A>
auto in_order(const A& a) {
    using T = typename A::element_type;
    auto pairs = map([](auto v) { return std::tuple(T(3), v); }, a);
    return get<1>(fold(composition, std::tuple(T(1), T(2)), pairs)());
}

constexpr auto larger = [](auto a, auto b) { return max(a, b); };

}  // namespace

TEMPLATE_TEST_CASE("folds of long windows", "[irregular]", Long, std::uint8_t, float) {
    windows<TestType>([](const auto& w) { return sum(w)(); });
    windows<TestType>([](const auto& w) { return fold(larger, TestType(0), reverse(w) + w)(); });
}

TEST_CASE("folds of long windows in order", "[irregular]") {
    windows<Long>([](const auto& w) { return in_order(w); });
    windows<std::int32_t>([](const auto& w) { return in_order(reverse(w)); });
    windows<Long>([](const auto& w) { return in_order(w) - in_order(inclusive_scan(std::plus<>{}, w)); });
}

TEST_CASE("filters of long windows", "[irregular]") {
    auto odd = [](auto v) { return v % 2 != 0; };
    windows<Long>([=](const auto& w) { return size(filter(odd, sort(w))); });
    windows<Long>([=](const auto& w) { return in_order(sort(filter(odd, w))); });
}

TEST_CASE("an operator that reads an array, and one that differs from slice to slice", "[irregular]") {
    const auto table = from(numbers<Long>(7));
    windows<Long>(
        [&](const auto& w) { return fold([&](auto a, auto b) { return a + b * 0 + table(b * 0 + 2) * b; }, I(1), w)(); });
    windows<Long>([](const auto& w) {
        const auto n = size(w);
        return fold([&](auto a, auto b) { return min(max(a, b), n); }, I(-9), w)();
    });
}

TEST_CASE("folds along an axis of long slices with few columns", "[irregular]") {
    const auto m = from(numbers<Long>(3 * 5000), shape(5000, 3));
    for (const auto& lengths : {std::vector<Long>{4999, 2, 4500}, std::vector<Long>{0, 4097}}) {
        CAPTURE(lengths);
        const Array<Long> ns = from(lengths);
        auto columns = [](const auto& part) { return vmap([](auto c) { return in_order(c); }, transpose(part)); };
        const auto result = everywhere(vmap([&](I n) { return columns(slice(m, range(I(0), n), all)); }, ns));
        for (std::size_t k = 0; k < lengths.size(); ++k) {
            const Array<Long, 2> part = run(slice(m, range(0, lengths[k]), all));
            CHECK(run(columns(part)).to_vector() == run(slice(result, static_cast<Long>(k), all)).to_vector());
        }
    }
}

TEST_CASE("loops with folds of long slices", "[irregular]") {
    windows<Long>([](const auto& w) {
        auto left = while_loop([](Delayed<Long> s) { return size(s) > 2000; },
                               [](Delayed<Long> s) {
                                   const auto total = sum(s)();
                                   return map([=](auto v) { return v + total % 5; }, take(s, size(s) / 2));
                               },
                               w);
        return in_order(left) + size(left);
    });
}

TEST_CASE("long slices of negative lengths", "[irregular]") {
    auto sums = vmap([](I n) { return sum(iota(n))(); }, from(std::vector<Long>{9000, -1}));
    for (const Target& target : {Target::interpreter(), Target::host(2)})
        CHECK_THROWS_AS(run(sums, {.target = target}), ShapeError);
    CHECK(everywhere(vmap([](I n) { return sum(iota(n))(); }, from(std::vector<Long>{9000, 0})))(0) == 9000 * 8999 / 2);
}
