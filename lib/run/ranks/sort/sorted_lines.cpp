// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/sort/sorted_lines.hpp"

#include "run/execute/sort_order.hpp"
#include "run/ranks/sort/merge_lines.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace sinter::runtime {

namespace {

/// Rounds in which neighbours are merged until one line is left.
int rounds(std::size_t lines) { return static_cast<int>(std::bit_width(lines - 1)); }

/// The lines after a round.
std::vector<std::int64_t> merged(const std::vector<std::int64_t>& lengths) {
    std::vector<std::int64_t> longer;
    for (std::size_t k = 0; k < lengths.size(); k += 2)
        longer.push_back(lengths[k] + (k + 1 < lengths.size() ? lengths[k + 1] : 0));
    return longer;
}

bool are_narrow(std::int64_t count) { return count <= std::numeric_limits<std::uint32_t>::max(); }

template <class T>
T* as(const BufferRef& memory) {
    return memory ? static_cast<T*>(memory->data) : nullptr;
}

/// The arrays that rounds read and write in turn, so that the last one writes `to`. The first one reads `from`, which is
/// written again, or `spare` where `to` would be written last but one.
template <class T>
struct Turns {
    T *from, *to, *other;
    int left;

    Turns(T* from, T* to, T* spare, int rounds) : from(from), to(to), other(rounds % 2 == 0 ? spare : from), left(rounds) {}
    T* target() const { return left % 2 == 1 ? to : other; }
    void advance() { from = target(), --left; }
};

}  // namespace

SortedLines::SortedLines(std::span<const SortColumn> columns, std::size_t keys, bool descending)
    : columns_(columns), keys_(keys), descending_(descending) {}

void SortedLines::keys_of(std::int64_t index, std::uint64_t* keys) const {
    for (std::size_t c = 0; c < keys_; ++c)
        with_order(columns_[c].scalar, descending_, [&](auto order) {
            using Key = typename decltype(order)::Key;
            keys[c] = order(static_cast<const Key*>(columns_[c].from)[index]);
        });
}

void SortedLines::reserve(std::int64_t count, std::size_t lines) {
    count_ = count;
    const auto elements = static_cast<std::size_t>(count);
    if (rounds(lines) % 2 == 0)
        spare_keys_ = allocate(elements * static_cast<std::size_t>(detail::size_of(columns_[0].scalar)));
    for (std::size_t k = 0; k < 2 && !has_keys_only(); ++k)
        if (k == 0 || rounds(lines) > 1) positions_[k] = allocate(elements * (are_narrow(count) ? 4 : 8));
}

bool SortedLines::later_keys_less(std::int64_t a, std::int64_t b) const {
    int result = 0;
    for (std::size_t c = 1; c < keys_ && result == 0; ++c)
        with_order(columns_[c].scalar, descending_, [&](auto order) {
            using Key = typename decltype(order)::Key;
            const auto* keys = static_cast<const Key*>(columns_[c].from);
            const Key x = order(keys[a]), y = order(keys[b]);
            result = x == y ? 0 : x < y ? -1 : 1;
        });
    return result < 0;
}

template <class Order>
void SortedLines::merge_keys(Order order, std::vector<std::int64_t> lengths, int threads) {
    using Key = typename Order::Key;
    Turns<Key> keys(static_cast<Key*>(const_cast<void*>(columns_[0].from)), static_cast<Key*>(columns_[0].to),
                    as<Key>(spare_keys_), rounds(lengths.size()));
    for (; keys.left > 0; keys.advance(), lengths = merged(lengths))
        merging::merge_neighbours(lengths, merging::Keys<Order>{order, keys.from, keys.target()}, threads);
}

/// The first keys, and where the elements were; then the other columns.
template <class Index, class Order>
void SortedLines::merge_positions(Order order, std::vector<std::int64_t> lengths, int threads) {
    using Key = typename Order::Key;
    const int turns = rounds(lengths.size());
    Turns<Key> keys(static_cast<Key*>(const_cast<void*>(columns_[0].from)), static_cast<Key*>(columns_[0].to),
                    as<Key>(spare_keys_), turns);
    Turns<Index> positions(nullptr, as<Index>(positions_[0]), as<Index>(positions_[1]), turns);
    positions.other = as<Index>(positions_[1]);
    auto later = [this](Index a, Index b) { return keys_ > 1 && later_keys_less(a, b); };
    for (; keys.left > 0; keys.advance(), positions.advance(), lengths = merged(lengths))
        merging::merge_neighbours(lengths,
                                  merging::KeysAndPositions<Order, Index, decltype(later)>{
                                      order, keys.from, keys.target(), positions.from, positions.target(), later},
                                  threads);
    for (const SortColumn& column : columns_.subspan(1)) permute(column, positions.from, threads);
}

template <class Index>
void SortedLines::permute(const SortColumn& column, const Index* positions, int threads) const {
    constexpr std::int64_t together = tuning::sorted_together;
    with_order(column.scalar, false, [&](auto order) {  // for the type of its bits
        using Bits = typename decltype(order)::Key;
        const auto* from = static_cast<const Bits*>(column.from);
        auto* to = static_cast<Bits*>(column.to);
        parallel_for((count_ + together - 1) / together, threads, [&](std::int64_t part) {
            for (std::int64_t k = part * together, end = std::min(count_, k + together); k < end; ++k)
                to[k] = from[positions[k]];
        });
    });
}

void SortedLines::merge(std::span<const SortColumn> columns, std::vector<std::int64_t> lengths, int threads) {
    columns_ = columns;
    with_order(columns_[0].scalar, descending_, [&](auto order) {
        if (has_keys_only()) return merge_keys(order, std::move(lengths), threads);
        if (are_narrow(count_)) return merge_positions<std::uint32_t>(order, std::move(lengths), threads);
        merge_positions<std::int64_t>(order, std::move(lengths), threads);
    });
}

}  // namespace sinter::runtime
