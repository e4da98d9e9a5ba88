// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the example programs have in common: reproducible input, checksums, a report of results next to their references.
#pragma once

#include <sinter/sinter.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>

namespace programs {

using namespace sinter;

/// Output i of the generator SplitMix64 seeded with `stream`.
inline Exp<std::uint64_t> bits(std::uint64_t stream, Exp<std::int64_t> i) {
    Exp<std::uint64_t> z = stream + (cast<std::uint64_t>(i) + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/// In [0, 1), exact.
inline Exp<double> unit64(std::uint64_t stream, Exp<std::int64_t> i) {
    return cast<double>(bits(stream, i) >> 11) * 0x1p-53;
}
inline Exp<float> unit32(std::uint64_t stream, Exp<std::int64_t> i) { return cast<float>(bits(stream, i) >> 40) * 0x1p-24f; }
/// In [-1, 1), exact.
inline Exp<double> symmetric64(std::uint64_t stream, Exp<std::int64_t> i) { return 2 * unit64(stream, i) - 1; }
inline Exp<float> symmetric32(std::uint64_t stream, Exp<std::int64_t> i) { return 2 * unit32(stream, i) - 1; }
/// One of 0, ..., m - 1.
inline Exp<std::int64_t> below(std::uint64_t stream, Exp<std::int64_t> i, std::uint64_t m) {
    return cast<std::int64_t>(bits(stream, i) % m);
}

/// A manifest array of f(i), where i is the position in row-major order.
template <int Rank, class F>
auto make_input(const std::array<std::int64_t, Rank>& extents, F f) {
    std::int64_t count = 1;
    for (std::int64_t e : extents) count *= e;
    const auto flat = generate(shape(count), f);
    return std::apply([&](auto... e) { return run(reshape(flat, shape(e...))); }, extents);
}
template <class F>
auto make_input(std::int64_t n, F f) {
    return run(generate(shape(n), f));
}

/// The sum of (2 i + 1) a[i] modulo 2^64: exact in any order, and sensitive to permutations.
template <ArrayLike A>
Delayed<std::uint64_t, 0> checksum(const A& a) {
    return sum(map_indexed(
        [](Exp<std::int64_t> i, auto x) { return cast<std::uint64_t>(2 * i + 1) * cast<std::uint64_t>(x); }, flatten(a)));
}
/// The same for the bits of floating-point numbers.
template <ArrayLike A>
Delayed<std::uint64_t, 0> checksum_of_bits(const A& a) {
    using Word = std::conditional_t<sizeof(element_t<A>) == 4, std::uint32_t, std::uint64_t>;
    return checksum(map([](auto x) { return bit_cast<Word>(x); }, a));
}

/// Prints results next to their references, and times.
class Report {
  public:
    template <class T>
    void value(const char* what, const T& got) {
        std::cout << what << ": " << got << '\n';
    }
    template <class T, class U>
    void exact(const char* what, const T& got, const U& expected) {
        line(what, got, expected, got == static_cast<T>(expected));
    }
    void near(const char* what, double got, double expected, double tolerance) {
        line(what, got, expected, std::abs(got - expected) <= tolerance);
    }

    /// Returns f(), which is called a few more times; prints the time of the first call and that of the fastest.
    template <class F>
    auto timed(const char* what, F f) {
        using Clock = std::chrono::steady_clock;
        double first = 0, best = 0;
        auto once = [&] {
            const auto begin = Clock::now();
            auto result = f();
            best = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
            return result;
        };
        auto result = once();
        first = best;
        for (int k = 0; k < 3; ++k) {
            const double before = best;
            once();
            best = std::fmin(before, best);
        }
        std::cout.precision(4);
        std::cout << what << ": " << best << " ms, the first time " << first << " ms\n";
        return result;
    }

    int status() const { return good_ ? 0 : 1; }

  private:
    template <class T, class U>
    void line(const char* what, const T& got, const U& expected, bool good) {
        std::cout.precision(12);
        std::cout << what << ": " << got << "   expected " << expected << ": " << (good ? "ok" : "WRONG") << '\n';
        good_ = good_ && good;
    }
    bool good_ = true;
};

}  // namespace programs
