// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/sort.hpp"

#include "fuse/tuning.hpp"
#include "fuse/whole_traffic.hpp"
#include "run/execute/radix_sort.hpp"
#include "run/execute/sort_order.hpp"
#include "run/threads/threads.hpp"
#include "run/tuning.hpp"
#include "support/buffer.hpp"
#include "support/with_width.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <new>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

namespace sinter::runtime {
namespace {

static_assert(tuning::short_row == fuse::tuning::sort_short_row && radix::digit_bits == fuse::tuning::sort_digit_bits,
              "explain counts passes so");

template <class T>
const T* row_from(const SortColumn& column, std::int64_t offset) {
    return static_cast<const T*>(column.from) + offset;
}
template <class T>
T* row_to(const SortColumn& column, std::int64_t offset) {
    return static_cast<T*>(column.to) + offset;
}

/// to[i] = from[order[i]].
template <class Index>
void permute(const SortColumn& column, std::int64_t offset, const Index* order, std::int64_t count, int threads) {
    with_width_of(column.scalar, [&](auto sample) {
        using T = decltype(sample);
        const T* from = row_from<T>(column, offset);
        T* to = row_to<T>(column, offset);
        constexpr std::int64_t grain = tuning::sorted_together;
        parallel_for((count + grain - 1) / grain, threads, [&](std::int64_t k) {
            std::int64_t end = std::min(count, (k + 1) * grain);
            for (std::int64_t i = k * grain; i < end; ++i) to[i] = from[order[i]];
        });
    });
}

/// The columns, and how to sort them.
struct Task {
    std::span<const SortColumn> columns;
    std::size_t keys;
    bool descending;
    std::int64_t count;

    bool is_short() const { return count < tuning::short_row; }
    bool has_keys_only() const { return columns.size() == 1; }
    /// True if the only payload can be moved along with the only key.
    bool has_light_payload() const { return keys == 1 && columns.size() == 2 && detail::size_of(columns[1].scalar) >= 4; }
    bool is_indexed() const { return !is_short() && !has_keys_only() && !has_light_payload(); }
    std::size_t index_bytes() const { return count <= std::numeric_limits<std::uint32_t>::max() ? 4 : 8; }
    std::size_t key_bytes() const {
        int bytes = 0;
        for (std::size_t c = 0; c < keys; ++c) bytes = std::max(bytes, detail::size_of(columns[c].scalar));
        return static_cast<std::size_t>(bytes);
    }
};

/// Room for sorting one row at a time, divided into pieces that are aligned to cache lines.
struct Scratch {
    std::byte* spare_keys;
    std::byte* spare_payloads;
    std::byte* gathered_keys;
    std::byte* orders[2];
    std::span<radix::Counts> places;

    static std::size_t piece(std::int64_t count, std::size_t bytes) {
        return (static_cast<std::size_t>(count) * bytes + 63) / 64 * 64;
    }
    static std::size_t bytes(const Task& task, int threads) {
        if (task.is_short()) return 0;
        std::size_t counts = sizeof(radix::Counts) * static_cast<std::size_t>(threads);
        std::size_t keys = piece(task.count, task.key_bytes());
        if (task.has_keys_only()) return counts + keys;
        if (task.has_light_payload()) return counts + keys + piece(task.count, 8);
        return counts + 2 * keys + 3 * piece(task.count, task.index_bytes());
    }
    Scratch(const Task& task, std::byte* memory, int threads) {
        places = {new (memory) radix::Counts[static_cast<std::size_t>(threads)], static_cast<std::size_t>(threads)};
        std::size_t keys = piece(task.count, task.key_bytes()), index = piece(task.count, task.index_bytes());
        spare_keys = memory + places.size_bytes();
        spare_payloads = spare_keys + keys;
        gathered_keys = spare_payloads + index;
        orders[0] = gathered_keys + keys;
        orders[1] = orders[0] + index;
    }
};

/// The order of keys that are all different or have their positions with them, by comparisons.
template <class Key>
struct Positioned {
    Key key;
    std::uint32_t position;
    bool operator<(const Positioned& other) const { return key != other.key ? key < other.key : position < other.position; }
};

using ShortOrder = std::array<std::uint32_t, tuning::short_row>;

template <class Key>
void order_by_comparing(const Key* keys, std::int64_t count, ShortOrder& order) {
    std::array<Positioned<Key>, tuning::short_row> pairs;
    for (std::uint32_t i = 0; i < count; ++i) pairs[i] = {keys[i], i};
    std::sort(pairs.begin(), pairs.begin() + count);
    for (std::uint32_t i = 0; i < count; ++i) order[i] = pairs[i].position;
}

/// The place of a key is the number of those less than it, and of equal ones before it. To count them takes vectors and no
/// branches. `keys` have room for a vector more.
template <class Signed>
void order_by_counting(Signed* keys, std::int64_t count, ShortOrder& order) {
    using Vector [[gnu::vector_size(16)]] = Signed;
    constexpr std::int64_t half = sizeof(Vector) / sizeof(Signed), lanes = 2 * half;
    std::fill(keys + count, keys + count + lanes, std::numeric_limits<Signed>::max());
    std::array<Signed, tuning::short_row + lanes> less;
    for (std::int64_t i = 0; i < count; i += lanes) {
        Vector own[2], sum[2]{};
        std::memcpy(own, keys + i, sizeof own);
        for (std::int64_t k = 0; k < count; ++k) {
            const Vector key = Vector{} + keys[k];
            sum[0] -= key < own[0];
            sum[1] -= key < own[1];
        }
        std::memcpy(less.data() + i, sum, sizeof sum);
    }
    std::array<std::uint32_t, tuning::short_row> equal;
    std::fill(equal.begin(), equal.begin() + count, 0);
    for (std::int64_t i = 0; i < count; ++i) {
        const auto place = static_cast<std::size_t>(less[static_cast<std::size_t>(i)]);
        order[place + equal[place]++] = static_cast<std::uint32_t>(i);
    }
}

/// `from`: where the keys are, in the order in which ties are left.
template <class Order, class From>
void order_short(Order map, const typename Order::Key* keys, From from, std::int64_t count, ShortOrder& order) {
    using Key = typename Order::Key;
    constexpr std::int64_t longest = sizeof(Key) == 8 ? tuning::counted_wide_row : tuning::counted_row;
    if (count > longest) {
        std::array<Key, tuning::short_row> mapped;
        for (std::int64_t i = 0; i < count; ++i) mapped[static_cast<std::size_t>(i)] = map(keys[from(i)]);
        return order_by_comparing(mapped.data(), count, order);
    }
    using Signed = std::conditional_t<sizeof(Key) == 8, std::int64_t, std::int32_t>;
    using Unsigned = std::make_unsigned_t<Signed>;
    constexpr Unsigned flip = sizeof(Key) < sizeof(Signed) ? 0 : Unsigned{1} << (8 * sizeof(Signed) - 1);
    std::array<Signed, longest + 8> mapped;
    for (std::int64_t i = 0; i < count; ++i)
        mapped[static_cast<std::size_t>(i)] = static_cast<Signed>(Unsigned{map(keys[from(i)])} ^ flip);
    order_by_counting(mapped.data(), count, order);
}

void sort_short(const Task& task, std::int64_t offset) {
    ShortOrder order, previous, next;
    for (std::size_t c = task.keys; c-- > 0;)
        with_order(task.columns[c].scalar, task.descending, [&](auto map) {
            using Key = typename decltype(map)::Key;
            const Key* keys = row_from<Key>(task.columns[c], offset);
            if (c + 1 == task.keys) return order_short(map, keys, std::identity(), task.count, order);
            std::copy(order.begin(), order.begin() + task.count, previous.begin());
            auto before = [&](std::int64_t i) { return previous[static_cast<std::size_t>(i)]; };
            order_short(map, keys, before, task.count, next);
            for (std::size_t i = 0; i < static_cast<std::size_t>(task.count); ++i) order[i] = previous[next[i]];
        });
    for (const SortColumn& column : task.columns)
        with_width_of(column.scalar, [&](auto sample) {
            using T = decltype(sample);
            const T* from = row_from<T>(column, offset);
            T* to = row_to<T>(column, offset);
            for (std::int64_t i = 0; i < task.count; ++i) to[i] = from[order[static_cast<std::size_t>(i)]];
        });
}

template <class Payload>
void sort_light(const Task& task, std::int64_t offset, const Scratch& scratch) {
    with_order(task.columns[0].scalar, task.descending, [&](auto map) {
        using Key = typename decltype(map)::Key;
        Lanes<const Key, const Payload> from{row_from<Key>(task.columns[0], offset)};
        Lanes<Key, Payload> to{row_to<Key>(task.columns[0], offset)};
        Lanes<Key, Payload> spare{reinterpret_cast<Key*>(scratch.spare_keys)};
        if constexpr (!std::is_same_v<Payload, Nothing>) {
            from.payloads = row_from<Payload>(task.columns[1], offset);
            to.payloads = row_to<Payload>(task.columns[1], offset);
            spare.payloads = reinterpret_cast<Payload*>(scratch.spare_payloads);
        }
        radix_sort(map, from, to, spare, task.count, scratch.places);
    });
}

/// Sorts positions by the last key, then by the one before it, and so on; moves the columns at the end.
template <class Index>
void sort_indexed(const Task& task, std::int64_t offset, const Scratch& scratch, int threads) {
    Index* order = nullptr;  // the order of the elements as they are stored
    for (std::size_t c = task.keys; c-- > 0;) {
        const SortColumn& column = task.columns[c];
        auto* next = reinterpret_cast<Index*>(scratch.orders[c % 2]);
        with_order(column.scalar, task.descending, [&](auto map) {
            using Key = typename decltype(map)::Key;
            const Key* keys = row_from<Key>(column, offset);
            if (order) {
                permute({column.scalar, keys, scratch.gathered_keys}, 0, order, task.count, threads);
                keys = reinterpret_cast<const Key*>(scratch.gathered_keys);
            }
            // The sorted keys are the result for the first key; for the others they are overwritten later.
            Lanes<Key, Index> to{row_to<Key>(column, offset), next};
            Lanes<Key, Index> spare{reinterpret_cast<Key*>(scratch.spare_keys),
                                    reinterpret_cast<Index*>(scratch.spare_payloads)};
            radix_sort(map, Lanes<const Key, const Index>{keys, order}, to, spare, task.count, scratch.places);
        });
        order = next;
    }
    for (const SortColumn& column : task.columns.subspan(1)) permute(column, offset, order, task.count, threads);
}

void sort_row(const Task& task, std::int64_t offset, std::byte* memory, int threads) {
    if (task.is_short()) return sort_short(task, offset);
    Scratch scratch(task, memory, threads);
    if (task.has_keys_only()) return sort_light<Nothing>(task, offset, scratch);
    if (task.has_light_payload() && detail::size_of(task.columns[1].scalar) == 4)
        return sort_light<std::uint32_t>(task, offset, scratch);
    if (task.has_light_payload()) return sort_light<std::uint64_t>(task, offset, scratch);
    if (task.index_bytes() == 4) return sort_indexed<std::uint32_t>(task, offset, scratch, threads);
    return sort_indexed<std::uint64_t>(task, offset, scratch, threads);
}

/// Columns whose elements are aligned: borrowed memory may begin anywhere, and is copied if it is not aligned.
class Aligned {
  public:
    Aligned(std::span<const SortColumn> columns, std::int64_t elements, int threads)
        : columns_(columns.begin(), columns.end()) {
        for (SortColumn& column : columns_) {
            const auto size = static_cast<std::size_t>(detail::size_of(column.scalar));
            if (reinterpret_cast<std::uintptr_t>(column.from) % size == 0) continue;
            copies_.push_back(allocate(static_cast<std::size_t>(elements) * size));
            copy_bytes(copies_.back()->data, column.from, copies_.back()->bytes, threads);
            column.from = copies_.back()->data;
        }
    }
    std::span<const SortColumn> columns() const { return columns_; }

  private:
    std::vector<SortColumn> columns_;
    std::vector<BufferRef> copies_;
};

/// Where runs of equal first keys begin, and where the last one ends; nothing if the first keys are not in order, or equal
/// ones have different bits (zeros, NaNs), which have to go with their elements.
std::vector<std::int64_t> runs_in_order(const Task& task) {
    std::vector<std::int64_t> bounds{0};
    with_order(task.columns[0].scalar, task.descending, [&](auto map) {
        using Key = typename decltype(map)::Key;
        const Key* keys = row_from<Key>(task.columns[0], 0);
        for (std::int64_t i = 1; i < task.count; ++i) {
            const Key before = map(keys[i - 1]), key = map(keys[i]);
            if (key < before || (key == before && keys[i - 1] != keys[i])) return bounds.clear();
            if (before < key) bounds.push_back(i);
        }
        bounds.push_back(task.count);
    });
    return bounds;
}

/// Sorts each run by the other keys. Threads share the runs, unless one of these has most of the elements.
void sort_runs(const Task& task, const std::vector<std::int64_t>& bounds, int threads) {
    const SortColumn& first = task.columns[0];
    copy_bytes(first.to, first.from, static_cast<std::size_t>(task.count * detail::size_of(first.scalar)), threads);
    Task run{task.columns.subspan(1), task.keys - 1, task.descending, 0};
    for (std::size_t k = 1; k < bounds.size(); ++k) run.count = std::max(run.count, bounds[k] - bounds[k - 1]);
    const std::int64_t groups = run.count <= task.count / 2 ? threads : 1;
    const int inner = groups == 1 ? threads : 1;
    const std::size_t bytes = Scratch::bytes(run, inner);
    BufferRef memory = allocate(bytes * static_cast<std::size_t>(groups));
    parallel_for(groups, threads, [&](std::int64_t g) {
        auto* own = static_cast<std::byte*>(memory->data) + bytes * static_cast<std::size_t>(g);
        auto at = std::lower_bound(bounds.begin(), bounds.end() - 1, task.count * g / groups);
        Task part = run;
        for (; at + 1 != bounds.end() && *at < task.count * (g + 1) / groups; ++at) {
            part.count = at[1] - at[0];
            sort_row(part, at[0], own, inner);
        }
    });
}

}  // namespace

void sort_rows(std::span<const SortColumn> columns, std::size_t keys, bool descending, std::int64_t rows, std::int64_t count,
               int threads) {
    if (rows == 0 || count == 0) return;
    const Aligned aligned(columns, rows * count, threads);
    Task task{aligned.columns(), keys, descending, count};
    if (rows == 1 && keys > 1)
        if (const std::vector<std::int64_t> bounds = runs_in_order(task); !bounds.empty())
            return sort_runs(task, bounds, threads);
    // If there are enough rows, each thread sorts whole rows; otherwise all threads sort one row after the other.
    std::int64_t groups = rows >= threads ? threads : 1;
    int inner = rows >= threads ? 1 : threads;
    std::size_t bytes = Scratch::bytes(task, inner);
    BufferRef memory = allocate(bytes * static_cast<std::size_t>(groups));
    parallel_for(groups, threads, [&](std::int64_t g) {
        auto* own = static_cast<std::byte*>(memory->data) + bytes * static_cast<std::size_t>(g);
        for (std::int64_t row = rows * g / groups; row < rows * (g + 1) / groups; ++row)
            sort_row(task, row * count, own, inner);
    });
}

}  // namespace sinter::runtime
