// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stable radix sort of one row, least significant digit first (Knuth, The Art of Computer Programming 3, section 5.2.5).
/// Keys are moved unchanged; an order (run/execute/sort_order.hpp) maps them to unsigned integers where a digit is read, so
/// that equal keys with different bits survive. Digits cover only the bits in which keys differ: small integers in wide
/// types take one pass.
///
/// A pass counts the digits of each block of the row; then every block moves its elements behind those of the blocks before
/// it. This is stable, and therefore the result does not depend on the blocks, of which there is one per thread.
#pragma once

#include "run/threads/threads.hpp"
#include "run/tuning.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace sinter::runtime {

/// The payload that is moved along with keys: nothing, 32 or 64 bits.
struct Nothing {};

/// Keys and their payload. In a source without payload pointers, payload i is i.
template <class Key, class Payload>
struct Lanes {
    Key* keys = nullptr;
    Payload* payloads = nullptr;
};

namespace radix {

constexpr int digit_bits = 11;
constexpr std::size_t digits = std::size_t{1} << digit_bits;
using Counts = std::array<std::int64_t, digits>;

struct Block {
    std::int64_t begin, end;
};

template <class Order>
std::size_t digit(Order order, typename Order::Key raw, int shift) {
    return static_cast<std::size_t>(order(raw) >> shift) % digits;
}

/// The bits in which keys of a block differ from the first key of the row.
template <class Order>
typename Order::Key differing_bits(Order order, const typename Order::Key* keys, Block block) {
    using Key = typename Order::Key;
    Key reference = order(keys[0]), bits = 0;
    for (std::int64_t i = block.begin; i < block.end; ++i) bits |= static_cast<Key>(order(keys[i]) ^ reference);
    return bits;
}

template <class Order>
void count_digits(Order order, const typename Order::Key* keys, Block block, int shift, Counts& counts) {
    counts.fill(0);
    for (std::int64_t i = block.begin; i < block.end; ++i) ++counts[digit(order, keys[i], shift)];
}

/// Replaces the counts of the blocks by the positions at which each block puts its first element of each digit.
inline void places_from_counts(std::span<Counts> blocks) {
    std::int64_t place = 0;
    for (std::size_t d = 0; d < digits; ++d) {
        for (Counts& counts : blocks) place += std::exchange(counts[d], place);
    }
}

template <class Order, class Payload>
void move_block(Order order, Lanes<const typename Order::Key, const Payload> from, Lanes<typename Order::Key, Payload> to,
                Block block, int shift, Counts& places) {
    for (std::int64_t i = block.begin; i < block.end; ++i) {
        std::int64_t place = places[digit(order, from.keys[i], shift)]++;
        to.keys[place] = from.keys[i];
        if constexpr (!std::is_same_v<Payload, Nothing>)
            to.payloads[place] = from.payloads ? from.payloads[i] : static_cast<Payload>(i);
    }
}

/// The lowest bits of the digits that cover all `bits`; one digit if there are none, so that a pass copies the row.
struct Shifts {
    int shift[8] = {};
    int count = 0;
};
template <class Key>
Shifts shifts_of(Key bits) {
    Shifts shifts;
    constexpr int width = 8 * sizeof(Key);
    for (int low = 0; low < width; ++low) {
        if ((bits >> low & 1) == 0) continue;
        shifts.shift[shifts.count++] = low;
        low += digit_bits - 1;
    }
    if (shifts.count == 0) shifts.count = 1;
    return shifts;
}

}  // namespace radix

/// Sorts `count` (at least 1) elements of `from` into `to`; `spare` has the same room. No two of these overlap. `places` has
/// one element for each thread that may be used.
template <class Order, class Payload>
void radix_sort(Order order, Lanes<const typename Order::Key, const Payload> from, Lanes<typename Order::Key, Payload> to,
                Lanes<typename Order::Key, Payload> spare, std::int64_t count, std::span<radix::Counts> places) {
    using Key = typename Order::Key;
    auto blocks = std::clamp<std::int64_t>(count / tuning::least_sorted_block, 1, static_cast<std::int64_t>(places.size()));
    places = places.first(static_cast<std::size_t>(blocks));
    auto in_blocks = [&](auto&& body) {
        parallel_for(blocks, static_cast<int>(blocks), [&](std::int64_t k) {
            body(places[static_cast<std::size_t>(k)], radix::Block{count * k / blocks, count * (k + 1) / blocks});
        });
    };

    in_blocks([&](auto& own, auto block) { own[0] = static_cast<std::int64_t>(differing_bits(order, from.keys, block)); });
    Key bits = 0;
    for (const radix::Counts& own : places) bits |= static_cast<Key>(own[0]);
    radix::Shifts shifts = radix::shifts_of(bits);
    if (shifts.count % 2 == 0) std::swap(to, spare);
    for (int pass = 0; pass < shifts.count; ++pass) {
        int shift = shifts.shift[pass];
        in_blocks([&](auto& own, auto block) { count_digits(order, from.keys, block, shift, own); });
        radix::places_from_counts(places);
        in_blocks([&](auto& own, auto block) { move_block(order, from, to, block, shift, own); });
        from = {to.keys, to.payloads};
        std::swap(to, spare);
    }
}

}  // namespace sinter::runtime
