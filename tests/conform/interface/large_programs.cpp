// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of so many operations that compilation must not take more than linear time.
#include "conform/support.hpp"

#include <algorithm>
#include <utility>

using namespace sinter;
using namespace conform;

namespace {

using I64 = std::int64_t;

/// On every target, with the fusion that is the default only: others take quadratic time.
template <class A>
void check_large(const A& expression) {
    const auto expected = run(expression, {.target = Target::interpreter()}).to_vector();
    for (Target target : targets()) require_same(expected, run(expression, {.target = target}).to_vector());
}

/// Which earlier values an operation combines: one of the last few, and any.
class Choice {
  public:
    std::pair<std::size_t, std::size_t> operator()(std::size_t count) {
        return {count - 1 - next() % std::min<std::size_t>(count, 60), next() % count};
    }

  private:
    std::size_t next() {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return state_ >> 33;
    }
    std::uint64_t state_ = 1;
};

void check_chain_of_operations(int n) {
    const Array<I64> x = from(numbers<I64>(1003));
    auto f = [=](auto i) {
        Exp<I64> e = i;
        for (int q = 0; q < n; ++q) e = (e ^ (i + q * 37)) * 3;
        return e;
    };
    check_large(map(f, x));
    check_large(sum(map(f, x)));
}

void check_shared_operations(int n) {
    auto f = [=](auto i) {
        std::vector<Exp<I64>> values{i};
        Choice choose;
        for (int q = 0; q < n; ++q) {
            const auto [a, b] = choose(values.size());
            values.push_back((values[a] * I64(3)) ^ values[b]);
        }
        return values.back();
    };
    check_large(map(f, iota(1003)));
}

/// All are needed at once, at the end.
void check_operations_that_live_long(int n) {
    const Array<float> x = from(numbers<float>(1003));
    auto f = [=](auto i) {
        std::vector<Exp<float>> products;
        for (int q = 0; q < n; ++q) products.push_back(i * float(q * 2 + 35));
        Exp<float> e = i;
        for (int q = n; q-- > 0;) e = e * 0.5f + products[static_cast<std::size_t>(q)];
        return e;
    };
    check_large(map(f, x));
}

void check_branches(int n) {
    auto f = [=](auto i) {
        Exp<I64> e = i;
        for (int q = 0; q < n; ++q)
            e = cond((e & 1) == 0, [&] { return e * I64(3) + q * 37; }, [&] { return (e ^ i) + I64(q); });
        return e;
    };
    check_large(map(f, iota(1003)));
}

void check_chain_of_maps(int n) {
    Delayed<I64> d = from(numbers<I64>(1003));
    for (int q = 0; q < n; ++q) d = map([=](auto e) { return (e ^ I64(q * 37)) * I64(3); }, d);
    check_large(d);
}

void check_shared_maps(int n) {
    std::vector<Delayed<I64>> arrays{iota(1003)};
    Choice choose;
    for (int q = 0; q < n; ++q) {
        const auto [a, b] = choose(arrays.size());
        arrays.push_back(arrays[a] * arrays[b] + I64(1));
    }
    check_large(arrays.back());
}

void check_inputs(int n) {
    Delayed<int> d = from(numbers<int>(103));
    for (int k = 1; k < n; ++k) d = d + from(numbers<int>(103, k));
    check_large(d);
}

void check_reads(int n) {
    const Array<I64> x = from(numbers<I64>(1000));
    auto f = [=](auto i) {
        Exp<I64> e = i;
        for (int q = 0; q < n; ++q) e = e * I64(3) + x((i + I64(q)) % I64(1000));
        return e;
    };
    check_large(generate(shape(503), f));
}

}  // namespace

TEST_CASE("ten thousand scalar operations in a chain") { check_chain_of_operations(5000); }
TEST_CASE("ten thousand scalar operations that share operands") { check_shared_operations(5000); }
TEST_CASE("ten thousand scalar operations whose results live long") { check_operations_that_live_long(5000); }
TEST_CASE("thousands of branches") { check_branches(3000); }
TEST_CASE("a chain of ten thousand maps") { check_chain_of_maps(10'000); }
TEST_CASE("ten thousand maps that share arrays") { check_shared_maps(5000); }
TEST_CASE("thousands of inputs") { check_inputs(3000); }
TEST_CASE("hundreds of checked reads in one function") { check_reads(400); }

TEST_CASE("a hundred thousand scalar operations", "[.][long]") {
    check_chain_of_operations(50'000);
    check_shared_operations(50'000);
    check_operations_that_live_long(50'000);
    check_branches(30'000);
}
TEST_CASE("values that do not fit on a stack are an error of the operation that has them", "[.][long]") {
    constexpr int n = 250'000;  // 4 MB in the narrowest vectors
    auto f = [=](auto i) {
        std::vector<Exp<float>> products;
        for (int q = 0; q < n; ++q) products.push_back(i * float(q * 2 + 35));
        Exp<float> e = i;
        for (int q = 0; q < n; ++q) e = e * 0.25f + products[static_cast<std::size_t>(q)];
        for (int q = n; q-- > 0;) e = e * 0.5f + products[static_cast<std::size_t>(q)];
        return e;
    };
    const Array<float> x = from(numbers<float>(1003));
    const auto before = x + 1.f;
    const unsigned line = __LINE__ + 1;
    const auto large = map(f, before);
    try {
        run(sum(large), {.target = Target::host(1)});
        FAIL("no error");
    } catch (const Limitation& error) {
        CHECK(std::string(error.what()).find("map: code of") == 0);
        CHECK(error.where().line() == line);
    }
}
TEST_CASE("a hundred thousand maps, and tens of thousands of inputs", "[.][long]") {
    check_chain_of_maps(100'000);
    check_shared_maps(100'000);
    check_inputs(30'000);
}
