// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs: the interpreter, the host with 1 and 2 threads, and every fusion strategy agree to the last bit.
//
// SINTER_RANDOM_SEED (default: a fixed one) and SINTER_RANDOM_COUNT (default 300) choose what is run; a failure prints its
// seed.
#include "conform/support.hpp"

#include <cstdlib>
#include <random>

using namespace sinter;
using conform::require_same;

namespace {

using Int = std::int32_t;

/// A pool of arrays of a few shapes, grown by random combinators.
class Generator {
  public:
    explicit Generator(std::uint64_t seed) : random_(seed) {
        constexpr std::int64_t extents[] = {0, 1, 2, 3, 7, 8, 9, 16, 17, 33, 100};
        n_ = extents[pick(std::size(extents))];
        m_ = extents[pick(std::size(extents))];
        for (int k = 0; k < 2; ++k) {
            vectors_.push_back(from(conform::numbers<Int>(n_, k)));
            matrices_.push_back(from(conform::numbers<Int>(n_ * m_, k + 3), shape(n_, m_)));
        }
        rows_.push_back(from(conform::numbers<Int>(m_, 5)));
        scalars_.push_back(sum(vectors_[0]));
    }

    void grow(int steps) {
        for (int k = 0; k < steps; ++k) step();
    }

    Delayed<Int, 0> scalar() { return any_of(scalars_); }
    Delayed<Int, 1> vector() { return any_of(vectors_); }
    Delayed<Int, 2> matrix() { return any_of(matrices_); }

  private:
    std::size_t pick(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }

    template <class T>
    T any_of(const std::vector<T>& pool) {
        // Late ones more often, so that programs grow deep as well as wide.
        std::size_t a = pick(pool.size()), b = pick(pool.size());
        return pool[std::max(a, b)];
    }

    Exp<Int> expression(std::vector<Exp<Int>> values) {
        int steps = 1 + static_cast<int>(pick(4));
        for (int k = 0; k < steps; ++k) {
            Exp<Int> a = values[pick(values.size())], b = values[pick(values.size())];
            switch (pick(10)) {
                case 0:
                    values.push_back(a + b);
                    break;
                case 1:
                    values.push_back(a - b);
                    break;
                case 2:
                    values.push_back(a * b);
                    break;
                case 3:
                    values.push_back(min(a, b));
                    break;
                case 4:
                    values.push_back(select(a < b, a, b + 1));
                    break;
                case 5:
                    values.push_back(a ^ b);
                    break;
                case 6:
                    values.push_back(a / (b * b % 7 + 1));
                    break;
                case 7:
                    values.push_back(cond(a > b, [=] { return a * 3; }, [=] { return b - a; }));
                    break;
                case 8:
                    values.push_back(for_loop(3, [=](auto i, auto s) { return s + a * cast<Int>(i); }, b));
                    break;
                default:
                    values.push_back((a << 1) + 5);
                    break;
            }
        }
        return values.back();
    }

    template <int Rank>
    Delayed<Int, Rank> element_wise(const std::vector<Delayed<Int, Rank>>& pool) {
        Delayed<Int, Rank> x = any_of(pool), y = any_of(pool);
        switch (pick(4)) {
            case 0:
                return map([&](Exp<Int> a) { return expression({a}); }, x);
            case 1:
                return map([&](Exp<Int> a, Exp<Int> b) { return expression({a, b}); }, x, y);
            case 2: {
                auto s = scalar();
                return map([&](Exp<Int> a) { return expression({a, s()}); }, x);
            }
            default:
                return x + y * 2;
        }
    }

    template <class A>
    auto reduce(const A& a, auto... axis) {
        switch (pick(4)) {
            case 0:
                return sum(a, axis...);
            case 1:
                return fold([](auto l, auto r) { return max(l, r); }, Int(-3), a, axis...);
            case 2:
                return fold([](auto, auto r) { return r; }, Int(11), a, axis...);
            default:
                return fold(std::bit_xor<>{}, Int(5), a, axis...);
        }
    }

    void step() {
        switch (pick(14)) {
            case 0:
                vectors_.push_back(element_wise(vectors_));
                break;
            case 1:
                matrices_.push_back(element_wise(matrices_));
                break;
            case 2:
                rows_.push_back(element_wise(rows_));
                break;
            case 3:
                vectors_.push_back(reverse(any_of(vectors_), 0));
                break;
            case 4:
                matrices_.push_back(reverse(any_of(matrices_), static_cast<int>(pick(2))));
                break;
            case 5:
                vectors_.push_back(reduce(any_of(matrices_), axis(1)));
                break;
            case 6:
                rows_.push_back(reduce(any_of(matrices_), axis(0)));
                break;
            case 7:
                scalars_.push_back(reduce(any_of(vectors_)));
                break;
            case 8:
                matrices_.push_back(replicate(n_, any_of(rows_)));
                break;
            case 9:
                matrices_.push_back(transpose(replicate(m_, any_of(vectors_))));
                break;
            case 10:
                scalars_.push_back(fold_all(std::plus<>{}, Int(1), any_of(matrices_)));
                break;
            case 11:
                gather_step();
                break;
            case 12:
                vectors_.push_back(force(any_of(vectors_)));
                break;
            default:
                loop_step();
                break;
        }
    }

    void gather_step() {
        if (n_ == 0) return;
        auto n = n_;
        auto indices = map([n](Exp<Int> v) { return (cast<std::int64_t>(v) % n + n) % n; }, any_of(vectors_));
        vectors_.push_back(gather(indices, any_of(vectors_)));
    }

    void loop_step() {
        auto x = any_of(vectors_);
        auto y = any_of(vectors_);
        vectors_.push_back(for_loop(
            static_cast<std::int64_t>(pick(4)),
            [&](Exp<std::int64_t> i, Delayed<Int> s) {
                return map([&](auto a, auto b) { return a * 3 + b + cast<Int>(i); }, s, y);
            },
            x));
    }

    std::mt19937_64 random_;
    std::int64_t n_ = 0, m_ = 0;
    std::vector<Delayed<Int, 0>> scalars_;
    std::vector<Delayed<Int, 1>> vectors_, rows_;
    std::vector<Delayed<Int, 2>> matrices_;
};

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

void check_program(std::uint64_t seed) {
    CAPTURE(seed);
    Generator generator(seed);
    generator.grow(3 + static_cast<int>(seed % 17));
    auto s = generator.scalar();
    auto v = generator.vector();
    auto m = generator.matrix();
    auto [s0, v0, m0] = run(std::tuple(s, v, m), {.target = Target::interpreter()});
    for (Fusion fusion : conform::strategies) {
        for (int threads : {1, 2}) {
            CAPTURE(static_cast<int>(fusion), threads);
            auto [s1, v1, m1] = run(std::tuple(s, v, m), {.target = Target::host(threads), .fusion = fusion});
            REQUIRE(s0.item() == s1.item());
            require_same(v0.to_vector(), v1.to_vector());
            require_same(m0.to_vector(), m1.to_vector());
        }
    }
}

}  // namespace

TEST_CASE("random programs agree on every target with every strategy", "[random]") {
    std::uint64_t seed = setting("SINTER_RANDOM_SEED", 20260101);
    std::uint64_t count = setting("SINTER_RANDOM_COUNT", 300);
    WARN("seeds " << seed << " to " << seed + count - 1);
    for (std::uint64_t k = 0; k < count; ++k) check_program(seed + k);
}
