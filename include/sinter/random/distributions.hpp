// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Random arrays of the distributions that need one block of random words per element. All are delayed: numbers are made in
/// the kernel that uses them.
#pragma once

#include <sinter/combinators/gather.hpp>
#include <sinter/combinators/sort.hpp>
#include <sinter/random/key.hpp>
#include <sinter/random/real.hpp>

namespace sinter::random {

namespace detail {

/// The same bits as those of bits_of, for numbers of which little is computed.
template <Real T>
BitsOf<T> short_bits(const Blocks& blocks) {
    if constexpr (std::is_same_v<T, double>)
        return blocks.bits_of<T>();
    else
        return blocks.word();
}

}  // namespace detail

/// Random bits: every bit of an unsigned integer.
template <std::unsigned_integral T = std::uint32_t, Word W, int Rank>
auto bits(const BasicKey<W>& key, const Shape<Rank>& shape, location where = location::current()) {
    auto element = [](const detail::Blocks& blocks) {
        if constexpr (sizeof(T) == 8)
            return blocks.pairs()[0];
        else
            return cast<T>(blocks.word());
    };
    return detail::from_blocks(key, shape, element, where);
}

/// Uniform in [0, 1): multiples of 2^-24 for float, 2^-53 for double, 2^-11 for half.
template <Real T = float, Word W, int Rank>
auto uniform(const BasicKey<W>& key, const Shape<Rank>& shape, location where = location::current()) {
    auto element = [](const detail::Blocks& blocks) { return detail::unit<T>(detail::short_bits<T>(blocks)); };
    return detail::from_blocks(key, shape, element, where);
}
/// low + u (high - low) for u uniform in [0, 1).
template <Real T = float, Word W, int Rank>
auto uniform(const BasicKey<W>& key, const Shape<Rank>& shape, T low, T high, location where = location::current()) {
    const T width = high - low;
    auto element = [=](const detail::Blocks& blocks) {
        return fma(detail::unit<T>(detail::short_bits<T>(blocks)), Exp<T>(width), Exp<T>(low));
    };
    return detail::from_blocks(key, shape, element, where);
}

/// Normal numbers with mean 0 and variance 1, by inversion; up to 6.3 standard deviations for float, 9.1 for double.
template <Real T = float, Word W, int Rank>
auto normal(const BasicKey<W>& key, const Shape<Rank>& shape, location where = location::current()) {
    auto element = [](const detail::Blocks& blocks) { return detail::standard_normal<T>(blocks.bits_of<T>()); };
    return detail::from_blocks(key, shape, element, where);
}

/// Exponentially distributed numbers with mean 1, by inversion.
template <Real T = float, Word W, int Rank>
auto exponential(const BasicKey<W>& key, const Shape<Rank>& shape, location where = location::current()) {
    auto element = [](const detail::Blocks& blocks) { return cast<T>(-log(detail::positive_unit<T>(blocks.bits_of<T>()))); };
    return detail::from_blocks(key, shape, element, where);
}

/// true with probability p, a literal or an Exp<double>, to a resolution of 2^-32.
template <Word W, int Rank, class P>
auto bernoulli(const BasicKey<W>& key, const P& p, const Shape<Rank>& shape, location where = location::current()) {
    auto element = [=](const detail::Blocks& blocks) {
        return cast<double>(cast<std::int64_t>(blocks()[1])) * 0x1p-32 < Exp<double>(p);
    };
    return detail::from_blocks(key, shape, element, where);
}

namespace detail {

/// The upper half of the product of two words of 64 bits.
inline Exp<std::uint64_t> multiply_high(Exp<std::uint64_t> a, Exp<std::uint64_t> b) {
    const std::uint64_t half = 0xFFFFFFFFu;
    const Exp<std::uint64_t> a0 = a & half, a1 = a >> 32, b0 = b & half, b1 = b >> 32;
    const Exp<std::uint64_t> middle = a1 * b0 + ((a0 * b0) >> 32);
    const Exp<std::uint64_t> cross = a0 * b1 + (middle & half);
    return a1 * b1 + (middle >> 32) + (cross >> 32);
}

}  // namespace detail

/// Integers from low up to, but not including, high, which are literals or Exps. The probabilities of any two differ by at
/// most 2^-64 (Lemire 2019, "Fast Random Integer Generation in an Interval", without rejection). An empty interval gives
/// low.
template <std::integral T = std::int64_t, Word W, int Rank, class L, class H>
auto randint(const BasicKey<W>& key, const Shape<Rank>& shape, const L& low, const H& high,
             location where = location::current()) {
    auto element = [=](const detail::Blocks& blocks) {
        const Exp<T> first(low), end(high);
        const Exp<std::uint64_t> count =
            select(first < end, cast<std::uint64_t>(end) - cast<std::uint64_t>(first), std::uint64_t{0});
        const Exp<std::uint64_t> offset = detail::multiply_high(blocks.pairs()[0], count);
        return first + cast<T>(offset);
    };
    return detail::from_blocks(key, shape, element, where);
}

/// Elements of an array of rank 1, each drawn from all of them. Without replacement: gather(take(permutation(key, n), k),
/// a).
template <Word W, ArrayLike A, int Rank>
auto choice(const BasicKey<W>& key, const A& a, const Shape<Rank>& shape, location where = location::current()) {
    static_assert(rank_v<A> == 1, "choice draws from an array of rank 1: flatten it first");
    const Delayed<element_t<A>> source(a);
    auto element = [&](const detail::Blocks& blocks) {
        const Exp<std::uint64_t> count = cast<std::uint64_t>(extent(source, 0));
        return cast<std::int64_t>(detail::multiply_high(blocks.pairs()[0], count));
    };
    return gather(detail::from_blocks(key, shape, element, where), source, where);
}

/// 0, 1, ..., n - 1 in random order: sorted by random keys of 64 bits.
template <Word W, sinter::detail::SizeLike N>
auto permutation(const BasicKey<W>& key, const N& n, location where = location::current()) {
    return argsort(bits<std::uint64_t>(key, shape(n), where), where);
}
/// An array of rank 1 in random order.
template <Word W, class T>
auto permutation(const BasicKey<W>& key, const Delayed<T>& a, location where = location::current()) {
    const auto order = map_indexed([](auto i, auto) { return i; }, a);
    auto element = [](const detail::Blocks& blocks) { return blocks.pairs()[0]; };
    const detail::KeyReader words(key, where);
    const auto keys = map([&](Exp<std::int64_t> i) { return element(detail::Blocks{words(), i}); }, order);
    return std::get<1>(sort_by_key(keys, a, where));
}
template <Word W, class T>
auto permutation(const BasicKey<W>& key, const Array<T>& a, location where = location::current()) {
    return permutation(key, Delayed<T>(a), where);
}

}  // namespace sinter::random
