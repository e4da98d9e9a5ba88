// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/sorted_lines.hpp"

#include "run/execute/sort_order.hpp"

#include <algorithm>
#include <numeric>

namespace sinter::runtime {

SortedLines::SortedLines(std::span<const SortColumn> columns, std::size_t keys, bool descending)
    : columns_(columns), keys_(keys), descending_(descending) {}

void SortedLines::keys_of(std::int64_t index, std::uint64_t* keys) const {
    for (std::size_t c = 0; c < keys_; ++c)
        with_order(columns_[c].scalar, descending_, [&](auto order) {
            using Key = typename decltype(order)::Key;
            keys[c] = order(static_cast<const Key*>(columns_[c].from)[index]);
        });
}

void SortedLines::reserve(std::int64_t count) {
    order_.resize(static_cast<std::size_t>(count));
    spare_.resize(static_cast<std::size_t>(count));
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

/// Two neighbours at a time.
template <class Less>
void SortedLines::merge_orders(std::vector<std::int64_t> lengths, Less less) {
    std::iota(order_.begin(), order_.end(), std::int64_t{0});
    while (lengths.size() > 1) {
        std::vector<std::int64_t> longer;
        auto at = order_.begin();
        auto to = spare_.begin();
        for (std::size_t k = 0; k < lengths.size(); k += 2) {
            const std::int64_t second = k + 1 < lengths.size() ? lengths[k + 1] : 0;
            to = std::merge(at, at + lengths[k], at + lengths[k], at + lengths[k] + second, to, less);
            longer.push_back(lengths[k] + second);
            at += longer.back();
        }
        std::swap(order_, spare_);
        lengths = std::move(longer);
    }
}

void SortedLines::merge(std::span<const SortColumn> columns, std::vector<std::int64_t> lengths) {
    columns_ = columns;
    with_order(columns_[0].scalar, descending_, [&](auto order) {
        using Key = typename decltype(order)::Key;
        const auto* keys = static_cast<const Key*>(columns_[0].from);
        if (keys_ == 1)
            return merge_orders(lengths, [=](std::int64_t a, std::int64_t b) { return order(keys[a]) < order(keys[b]); });
        merge_orders(lengths, [&, keys, order](std::int64_t a, std::int64_t b) {
            const Key x = order(keys[a]), y = order(keys[b]);
            return x != y ? x < y : later_keys_less(a, b);
        });
    });
    for (const SortColumn& column : columns_)
        with_order(column.scalar, false, [&](auto order) {  // for the type of its bits
            using Bits = typename decltype(order)::Key;
            const auto* from = static_cast<const Bits*>(column.from);
            std::transform(order_.begin(), order_.end(), static_cast<Bits*>(column.to),
                           [=](std::int64_t k) { return from[k]; });
        });
}

}  // namespace sinter::runtime
