// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random arrays: the generators' published vectors, the same bits everywhere, no number in memory, and the points of Sobol.
#include "conform/support.hpp"

#include <sinter/random.hpp>

#include <algorithm>
#include <set>

#if __has_include(<Random123/philox.h>)
#include <Random123/philox.h>
#include <Random123/threefry.h>
#define SINTER_HAVE_RANDOM123
#endif

using namespace sinter;
using namespace conform;
using random::Words;

namespace {

using Word = std::uint32_t;
constexpr Word ones = 0xFFFFFFFF;
constexpr Word pi[] = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89};

/// The block of words that philox4x32 computes in a kernel.
auto philox_in_kernel(const Words<Word, 4>& counter, const Words<Word, 2>& key) {
    const Array<Word> c = from(counter), k = from(key);
    auto block = [&](Exp<std::int64_t>) {
        auto at = [](const Array<Word>& a, std::int64_t i) { return a(reify(i)); };
        return random::philox<Exp<Word>>({at(c, 0), at(c, 1), at(c, 2), at(c, 3)}, {at(k, 0), at(k, 1)});
    };
    return run(generate(shape(1), block), {.target = targets()[0]}).to_vector()[0];
}

}  // namespace

TEST_CASE("the generators' published vectors", "[random]") {
    using Four = Words<Word, 4>;
    using Two = Words<Word, 2>;
    CHECK(random::philox<Word>({0, 0, 0, 0}, {0, 0}) == Four{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    CHECK(random::philox<Word>({ones, ones, ones, ones}, {ones, ones}) ==
          Four{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    const Four of_pi = {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
    CHECK(random::philox<Word>({pi[0], pi[1], pi[2], pi[3]}, {pi[4], pi[5]}) == of_pi);
    CHECK(philox_in_kernel({pi[0], pi[1], pi[2], pi[3]}, {pi[4], pi[5]}) == of_pi);
    CHECK(random::threefry2<Word>({0, 0}, {0, 0}) == Two{0x6b200159, 0x99ba4efe});
    CHECK(random::threefry2<Word>({ones, ones}, {ones, ones}) == Two{0x1cb996fc, 0xbb002be7});
    CHECK(random::threefry2<Word>({pi[0], pi[1]}, {pi[2], pi[3]}) == Two{0xc4923a9c, 0x483df7a0});
    CHECK(random::threefry4<Word>({0, 0, 0, 0}, {0, 0, 0, 0}) == Four{0x9c6ca96a, 0xe17eae66, 0xfc10ecd4, 0x5256a7d8});
}

#ifdef SINTER_HAVE_RANDOM123
TEST_CASE("the generators are those of Random123", "[random]") {
    Word x = 1;
    auto next = [&] { return x = x * 1664525u + 1013904223u; };
    for (int i = 0; i < 1000; ++i) {
        Word w[8];
        for (Word& word : w) word = next();
        const auto p = philox4x32_R(10, philox4x32_ctr_t{{w[0], w[1], w[2], w[3]}}, philox4x32_key_t{{w[4], w[5]}});
        const Words<Word, 4> philox = {p.v[0], p.v[1], p.v[2], p.v[3]};
        REQUIRE(random::philox<Word>({w[0], w[1], w[2], w[3]}, {w[4], w[5]}) == philox);
        const auto t =
            threefry4x32_R(20, threefry4x32_ctr_t{{w[0], w[1], w[2], w[3]}}, threefry4x32_key_t{{w[4], w[5], w[6], w[7]}});
        const Words<Word, 4> four = {t.v[0], t.v[1], t.v[2], t.v[3]};
        REQUIRE(random::threefry4<Word>({w[0], w[1], w[2], w[3]}, {w[4], w[5], w[6], w[7]}) == four);
        const auto s = threefry2x32_R(20, threefry2x32_ctr_t{{w[0], w[1]}}, threefry2x32_key_t{{w[2], w[3]}});
        const Words<Word, 2> two = {s.v[0], s.v[1]};
        REQUIRE(random::threefry2<Word>({w[0], w[1]}, {w[2], w[3]}) == two);
    }
}
#endif

TEST_CASE("random arrays have the same bits everywhere", "[random]") {
    const Key k = key(42);
    for (std::int64_t n : {0, 1, 17, 1000}) {
        CAPTURE(n);
        everywhere(random::bits<std::uint64_t>(k, shape(n)));
        everywhere(random::uniform<float>(k, shape(n)));
        everywhere(random::uniform<double>(k, shape(n), -1.0, 3.0));
        everywhere(random::uniform<half>(k, shape(n)));
        everywhere(random::normal<float>(k, shape(n)));
        everywhere(random::normal<double>(k, shape(n)));
        everywhere(random::exponential<float>(k, shape(n)));
        everywhere(random::exponential<half>(k, shape(n)));
        everywhere(random::bernoulli(k, 0.3, shape(n)));
        everywhere(random::randint(k, shape(n), -5, 6));
        everywhere(random::permutation(k, n));
    }
    everywhere(random::gamma<double>(k, 2.5, shape(300)));
    everywhere(random::gamma<float>(k, 0.4, shape(300)));
    everywhere(random::poisson(k, 3.5, shape(300)));
    everywhere(random::poisson(k, 40.0, shape(300)));
    everywhere(sobol<double>(shape(100, 30)));
    everywhere(sobol<float>(k, shape(100, 30)));
}

TEST_CASE("random numbers depend on the key and the position only", "[random]") {
    const Key k = key(5);
    const auto line = run(normal<float>(k, shape(24))).to_vector();
    require_same(line, run(normal<float>(k, shape(2, 3, 4))).to_vector());
    require_same({line.begin(), line.begin() + 7}, run(normal<float>(k, shape(7))).to_vector());
    require_same({line[0]}, run(normal<float>(k, shape())).to_vector());
    auto compiled =
        compile([&](Exp<std::int64_t> n, Exp<std::int64_t> seed) { return normal<float>(key(seed), shape(n, n)); });
    const auto square = compiled(4, 5).to_vector();
    require_same({line.begin(), line.begin() + 16}, square);
    CHECK(run(normal<float>(key(6), shape(24))).to_vector() != line);
}

TEST_CASE("derived keys are distinct, and the same on the host and in a function", "[random]") {
    const Key parent = key(123456789012345);
    std::set<std::pair<Word, Word>> seen = {{parent.first, parent.second}};
    for (const Key& k : random::split(parent, 100)) CHECK(seen.emplace(k.first, k.second).second);
    for (int i = 0; i < 100; ++i) {
        const Key k = fold_in(parent, i);
        CHECK(seen.emplace(k.first, k.second).second);
    }
    const auto [first, second] = split<2>(parent);
    CHECK(seen.contains({first.first, first.second}));
    CHECK(seen.contains({second.first, second.second}));
    auto words = [&](Exp<std::int64_t> i) {
        const auto k = fold_in(parent, i);
        return std::tuple(k.first, k.second);
    };
    const auto folded = everywhere(generate(shape(5), words)).to_vector();
    for (int i = 0; i < 5; ++i) {
        const Key k = fold_in(parent, i);
        CHECK(folded[static_cast<std::size_t>(i)] == std::tuple(k.first, k.second));
    }
}

TEST_CASE("no random number moves through memory", "[random]") {
    const Explanation e = explain(mean(exp(normal<float>(key(1), shape(1000000)))));
    CHECK(e.clusters().size() == 1);
    CHECK(e.bytes_moved() < 1000);
    const auto x1 = uniform<double>(key(1), shape(1000000)), y1 = uniform<double>(key(2), shape(1000000));
    const Explanation pi_estimate = explain(4.0 * mean(select(x1 * x1 + y1 * y1 < 1.0, 1.0, 0.0)));
    CHECK(pi_estimate.clusters().size() == 1);
    CHECK(pi_estimate.bytes_moved() < 1000);
    const Array<float> x = from(numbers<float>(1000));
    CHECK(explain(sum(x * uniform<float>(key(1), shape(1000)))).clusters().size() == 1);
}

TEST_CASE("normal numbers are the quantiles of the normal distribution", "[random]") {
    std::vector<double> tails = {1, 0.9, 0.5, 0.15, 0.1500001, 0.1, 1e-3, 2.7e-11, 2.8e-11, 1e-15, 0x1p-64};
    for (int i = 1; i < 1000; ++i) tails.push_back(i / 1000.0);
    auto magnitude = [](auto t) { return random::detail::normal_magnitude(t); };
    const auto fine = everywhere(map(magnitude, from(tails))).to_vector();
    std::vector<float> coarse_tails(tails.begin(), tails.end());
    const auto coarse = everywhere(map(magnitude, from(coarse_tails))).to_vector();
    for (std::size_t i = 0; i < tails.size(); ++i) {
        CAPTURE(tails[i], fine[i], coarse[i]);
        const double x = fine[i], condition = 1 + x * x;
        CHECK(std::erfc(x / std::sqrt(2.0)) == Approx(tails[i]).epsilon(1e-15 * condition));
        if (tails[i] >= 0x1p-32) CHECK(coarse[i] == Approx(x).epsilon(1e-6).margin(1e-7));
    }
}

TEST_CASE("normal numbers of double precision have small errors", "[random]") {
    // Tail probabilities and quantiles, computed with 40 digits.
    const std::vector<std::pair<double, double>> exact = {
        {0x1.8p-1, 0.31863936396437516302}, {0x1.8p-2, 0.88714655901887605669}, {0x1.8p-3, 1.3180108973035367049},
        {0x1.8p-5, 1.9874278859298959218},  {0x1.8p-9, 2.975020729081970303},   {0x1.8p-17, 4.38791797340255943},
        {0x1.8p-30, 6.055826643335417438},  {0x1.8p-45, 7.5527001836506871595}, {0x1.0p-63, 9.0801551248736126692}};
    std::vector<double> tails;
    for (const auto& [t, x] : exact) tails.push_back(t);
    auto magnitude = [](auto t) { return random::detail::normal_magnitude(t); };
    const auto found = everywhere(map(magnitude, from(tails))).to_vector();
    for (std::size_t i = 0; i < exact.size(); ++i) {
        CAPTURE(exact[i].first, exact[i].second, found[i]);
        CHECK(std::abs(found[i] - exact[i].second) < 1e-15 * std::max(1.0, exact[i].second));
    }
    CHECK(std::abs(run(map(magnitude, from({1.0}))).to_vector()[0]) < 3e-16);
}

TEST_CASE("pairs of words are those of the block", "[random]") {
    const Key k = key(77);
    auto pairs = [&](Exp<std::int64_t> i) {
        const random::detail::Blocks blocks{{reify(k.first), reify(k.second)}, i * 0x123456789abcdef};
        const auto words = blocks(3u);
        const auto both = blocks.pairs(3u);
        auto joined = [](auto high, auto low) { return random::detail::join(high, low); };
        return std::tuple(both[0], joined(words[1], words[0]), both[1], joined(words[3], words[2]));
    };
    for (const auto& [first, expected, second, expected_second] : everywhere(generate(shape(40), pairs)).to_vector()) {
        CHECK(first == expected);
        CHECK(second == expected_second);
    }
    const auto bits = run(random::bits<std::uint64_t>(k, shape(9))).to_vector();
    for (Word i = 0; i < 9; ++i) {
        const auto block = random::philox<Word>({i, 0, 0, 0}, {k.first, k.second});
        CHECK(bits[i] == (std::uint64_t{block[1]} << 32 | block[0]));
    }
}

TEST_CASE("integers stay in their interval and reach its ends", "[random]") {
    const auto v = everywhere(random::randint<std::int8_t>(key(3), shape(4000), -128, 127)).to_vector();
    CHECK(*std::min_element(v.begin(), v.end()) == -128);
    CHECK(*std::max_element(v.begin(), v.end()) == 126);
    const auto wide = run(random::randint(key(3), shape(1000), INT64_MIN, INT64_MAX)).to_vector();
    const auto negative = std::count_if(wide.begin(), wide.end(), [](std::int64_t i) { return i < 0; });
    CHECK(std::abs(negative - 500) < 80);
    CHECK(run(random::randint(key(3), shape(2), 4, 4)).to_vector() == std::vector<std::int64_t>{4, 4});
}

TEST_CASE("permutations and choices", "[random]") {
    for (std::int64_t n : {0, 1, 2, 100, 5000}) {
        auto p = run(random::permutation(key(9), n)).to_vector();
        auto sorted = p;
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t i = 0; i < p.size(); ++i) REQUIRE(sorted[i] == static_cast<std::int64_t>(i));
        if (n >= 100) CHECK(sorted != p);
        const auto permuted = everywhere(random::permutation(key(9), from(sorted))).to_vector();
        require_same(p, permuted);
    }
    const auto chosen = everywhere(random::choice(key(2), from({2.f, 3.f, 5.f}), shape(300))).to_vector();
    for (float prime : {2.f, 3.f, 5.f}) CHECK(std::abs(std::count(chosen.begin(), chosen.end(), prime) - 100) < 40);
    CHECK_THROWS_AS(run(random::choice(key(2), from(std::vector<float>{}), shape(3))), IndexError);
}

TEST_CASE("Sobol points are those of Joe and Kuo's direction numbers", "[random]") {
    const std::vector<double> expected = {0,    0,    0,    0,    0.5,   0.5,   0.5,   0.5,   0.75,  0.25,  0.25,  0.25,
                                          0.25, 0.75, 0.75, 0.75, 0.375, 0.375, 0.625, 0.875, 0.875, 0.875, 0.125, 0.375};
    require_same(expected, everywhere(sobol<double>(shape(6, 4))).to_vector());
    CHECK_THROWS_AS(sobol<float>(shape(6, 65)), Limitation);
}

TEST_CASE("Sobol points, scrambled or not, fill every interval once", "[random]") {
    const std::int64_t n = 256, dimensions = random::sobol_dimensions;
    for (bool scramble : {false, true}) {
        const auto points =
            run(scramble ? sobol<double>(key(8), shape(n, dimensions)) : sobol<double>(shape(n, dimensions)));
        for (std::int64_t d = 0; d < dimensions; ++d) {
            std::set<int> intervals;
            for (std::int64_t i = 0; i < n; ++i) intervals.insert(static_cast<int>(points(i, d) * static_cast<double>(n)));
            CHECK(intervals.size() == static_cast<std::size_t>(n));
        }
        std::set<int> boxes;  // the first two dimensions are a net of 16 x 16 boxes, too
        for (std::int64_t i = 0; i < n; ++i)
            boxes.insert(static_cast<int>(points(i, 0) * 16) * 16 + static_cast<int>(points(i, 1) * 16));
        CHECK(boxes.size() == 256);
    }
    CHECK(run(sobol<float>(key(8), shape(8, 3))).to_vector() != run(sobol<float>(key(9), shape(8, 3))).to_vector());
}
