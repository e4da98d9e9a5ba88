// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Keys, of which random arrays are functions. A key is a value without a state: the same key gives the same numbers, on
/// every target and for every number of threads. Different numbers need different keys, which split and fold_in make.
///
/// Element i of an array is made from the block philox({low(i), high(i), draw, purpose}, key). `draw` counts the blocks of
/// an element that needs several; `purpose` keeps numbers, derived keys and seeds of scramblings apart.
#pragma once

#include <sinter/combinators/from.hpp>
#include <sinter/combinators/make.hpp>
#include <sinter/combinators/view.hpp>
#include <sinter/random/philox.hpp>
#include <sinter/random/real.hpp>

#include <vector>

namespace sinter::random {

template <Word W>
struct BasicKey {
    W first, second;
};
/// A key that the host knows. Kernels read it as an argument, so that another key needs no compilation.
using Key = BasicKey<std::uint32_t>;
/// A key inside a function, made from a seed or from a number that is folded in.
using KeyExp = BasicKey<Exp<std::uint32_t>>;

enum class Purpose : std::uint32_t { numbers, fold, split, scramble };

/// The key made from a seed.
template <std::integral I>
Key key(I seed) {
    const auto bits = static_cast<std::uint64_t>(seed);
    return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
}
template <std::integral I>
KeyExp key(Exp<I> seed) {
    const Exp<std::uint64_t> bits = cast<std::uint64_t>(seed);
    return {cast<std::uint32_t>(bits), cast<std::uint32_t>(bits >> 32)};
}

namespace detail {

template <Word W>
BasicKey<W> derived(const BasicKey<W>& parent, const BasicKey<W>& number, Purpose purpose) {
    const Words<W, 4> counter = {number.first, number.second, W(0u), W(static_cast<std::uint32_t>(purpose))};
    const Words<W, 4> block = philox<W>(counter, {parent.first, parent.second});
    return {block[0], block[1]};
}

inline KeyExp as_expressions(const Key& key) { return {reify(key.first), reify(key.second)}; }
inline KeyExp as_expressions(const KeyExp& key) { return key; }

}  // namespace detail

/// The key for case number `number` of whatever `parent` is the key of: of iteration i, of particle i, ...
template <std::integral I>
Key fold_in(const Key& parent, I number) {
    return detail::derived(parent, key(number), Purpose::fold);
}
template <Word W, std::integral I>
KeyExp fold_in(const BasicKey<W>& parent, Exp<I> number) {
    return detail::derived(detail::as_expressions(parent), key(number), Purpose::fold);
}
template <std::integral I>
KeyExp fold_in(const KeyExp& parent, I number) {
    return detail::derived(parent, detail::as_expressions(key(number)), Purpose::fold);
}

/// N keys that are independent of one another and of the parent, which is not to be used again: auto [a, b] = split<2>(key).
template <std::size_t N, Word W>
std::array<BasicKey<W>, N> split(const BasicKey<W>& parent) {
    std::array<BasicKey<W>, N> keys;
    for (std::size_t i = 0; i < N; ++i)
        keys[i] = detail::derived(parent, {W(static_cast<std::uint32_t>(i)), W(0u)}, Purpose::split);
    return keys;
}
/// The same for a number of keys that is known only while the program runs.
template <Word W>
std::vector<BasicKey<W>> split(const BasicKey<W>& parent, std::size_t n) {
    std::vector<BasicKey<W>> keys(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Key number = key(i);
        keys[i] = detail::derived(parent, {W(number.first), W(number.second)}, Purpose::split);
    }
    return keys;
}

namespace detail {

/// A key as functions read it: a key of the host becomes an argument of the kernel.
class KeyReader {
  public:
    KeyReader(const Key& key, location where) : words_(from(std::array{key.first, key.second}, where)) {}
    KeyReader(const KeyExp& key, location) : key_(key) {}

    Words<Exp<std::uint32_t>, 2> operator()() const {
        if (!words_.leaves().leaf[0]) return {key_.first, key_.second};
        return {words_(reify(std::int64_t{0})), words_(reify(std::int64_t{1}))};
    }

  private:
    Array<std::uint32_t> words_;
    KeyExp key_{};
};

/// The random blocks of one element.
struct Blocks {
    Words<Exp<std::uint32_t>, 2> key;
    Exp<std::int64_t> element;
    Purpose purpose = Purpose::numbers;

    Words<Exp<std::uint32_t>, 4> operator()(Exp<std::uint32_t> draw = 0u) const {
        const Exp<std::uint32_t> low = cast<std::uint32_t>(element), high = cast<std::uint32_t>(element >> 32);
        return philox<Exp<std::uint32_t>>({low, high, draw, static_cast<std::uint32_t>(purpose)}, key);
    }
    /// The same block as two numbers of 64 bits.
    std::array<Exp<std::uint64_t>, 2> pairs(Exp<std::uint32_t> draw = 0u) const {
        const Exp<std::uint64_t> number = cast<std::uint64_t>(element);
        return philox_pairs(
            {Held{number}, Held{number >> 32}, Held{cast<std::uint64_t>(draw)}, Held{static_cast<std::uint64_t>(purpose)}},
            key);
    }
    /// The second word of the block, made where lanes have 64 bits: in half of the time, if what follows is short (uniform
    /// floats on AVX-512, 1.5 instead of 3.1 ns; normal ones 4.9 instead of 3.1).
    Exp<std::uint32_t> word() const { return cast<std::uint32_t>(pairs()[0] >> 32); }
    /// The random bits of which a real number is made.
    template <Real T>
    BitsOf<T> bits_of() const {
        if constexpr (std::is_same_v<T, double>)
            return pairs()[0];
        else
            return (*this)()[1];
    }
};

/// The number of elements, as the extent of an array of rank 1.
template <int Rank>
Shape<1> flat(const Shape<Rank>& shape) {
    std::int64_t literal = 1;
    bool known = true, overflow = false;
    for (int k = 0; k < Rank; ++k) {
        known = known && shape.sizes[k].scalar.trace == 0;
        overflow = overflow || __builtin_mul_overflow(literal, shape.sizes[k].literal, &literal);
    }
    if (known) return sinter::shape(overflow ? std::int64_t{-1} : literal);
    Exp<std::int64_t> count = 1;
    for (int k = 0; k < Rank; ++k) {
        Exp<std::int64_t> extent = shape.sizes[k].literal;
        if (shape.sizes[k].scalar.trace != 0) extent.handles[0] = shape.sizes[k].scalar;
        count = count * extent;
    }
    return sinter::shape(count);
}

/// The array of this shape whose element i, in row-major order, is f(blocks of i).
template <Word W, int Rank, class F>
auto from_blocks(const BasicKey<W>& key, const Shape<Rank>& shape, F f, location where) {
    const KeyReader words(key, where);
    auto element = [&](Exp<std::int64_t> i) { return f(Blocks{words(), i}); };
    if constexpr (Rank == 1)
        return generate(shape, element, where);
    else
        return reshape(generate(flat(shape), element, where), shape, where);
}

}  // namespace detail
}  // namespace sinter::random

namespace sinter {
using random::Key;
using random::key;
}  // namespace sinter
