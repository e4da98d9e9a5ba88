// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Merges neighbouring lines that are sorted, two at a time. The result is cut at even places, for each of which a binary
/// search finds how much of either line comes before it ("merge path": Odeh and others, "Merge path - parallel merging made
/// simple", 2012), so that threads merge parts of it, and each of them several at once: a step of a merge waits for the one
/// before, but not for those of other parts.
#pragma once

#include "run/threads/threads.hpp"
#include "run/tuning.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace sinter::runtime::merging {

/// Elements [a, a_end) and [b, b_end), and where the first of them goes.
struct Run {
    std::int64_t a, a_end, b, b_end, to;

    std::int64_t length() const { return a_end - a + b_end - b; }
    /// Steps of which none finds a line at its end.
    std::int64_t safe_steps() const { return std::min(a_end - a, b_end - b); }
};

/// Keys alone.
template <class Order>
struct Keys {
    using Key = typename Order::Key;
    Order order;
    const Key* from;
    Key* to;

    bool less(std::int64_t a, std::int64_t b) const { return order(from[a]) < order(from[b]); }
    void take(std::int64_t at, std::int64_t k) const { to[at] = from[k]; }
    /// The lesser of two elements; the first of equal ones. Returns whether it is the second. Without a jump, of which
    /// every second one would be guessed wrong: compilers make one of a choice between the two.
    bool take_least(std::int64_t at, std::int64_t a, std::int64_t b) const {
        const Key x = from[a], y = from[b];
        const bool second = order(y) < order(x);
        to[at] = static_cast<Key>(x ^ ((x ^ y) & (Key{0} - static_cast<Key>(second))));
        return second;
    }
};

/// Keys and positions, which `later` compares where keys are equal. Without positions, that of element k is k.
template <class Order, class Index, class Later>
struct KeysAndPositions {
    using Key = typename Order::Key;
    Order order;
    const Key* from;
    Key* to;
    const Index* positions_from;
    Index* positions_to;
    Later later;

    Index position(std::int64_t k) const { return positions_from ? positions_from[k] : static_cast<Index>(k); }
    bool less(std::int64_t a, std::int64_t b) const {
        const Key x = order(from[a]), y = order(from[b]);
        return x != y ? x < y : later(position(a), position(b));
    }
    void take(std::int64_t at, std::int64_t k) const {
        to[at] = from[k];
        positions_to[at] = position(k);
    }
    bool take_least(std::int64_t at, std::int64_t a, std::int64_t b) const {
        const bool second = less(b, a);
        take(at, second ? b : a);
        return second;
    }
};

/// The first `count` elements of the merged run end at these elements of its lines.
template <class Lanes>
Run cut(const Run& run, std::int64_t count, const Lanes& lanes) {
    std::int64_t low = std::max<std::int64_t>(0, count - (run.b_end - run.b)), high = std::min(count, run.a_end - run.a);
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        lanes.less(run.b + count - 1 - middle, run.a + middle) ? high = middle : low = middle + 1;
    }
    return {run.a, run.a + low, run.b, run.b + count - low, run.to};
}

/// So many parts of about the same length.
template <std::size_t Parts, class Lanes>
std::array<Run, Parts> divide(const Run& run, const Lanes& lanes) {
    std::array<Run, Parts> parts;
    std::int64_t a = run.a, b = run.b, done = 0;
    for (std::size_t k = 0; k < Parts; ++k) {
        const auto end = static_cast<std::int64_t>(k + 1) * run.length() / static_cast<std::int64_t>(Parts);
        const Run before = cut(run, end, lanes);
        parts[k] = {a, before.a_end, b, before.b_end, run.to + done};
        a = before.a_end, b = before.b_end, done = end;
    }
    return parts;
}

/// What is left of one run.
template <class Lanes>
void finish(Run run, const Lanes& lanes) {
    while (run.safe_steps() > 0) {
        const bool second = lanes.take_least(run.to++, run.a, run.b);
        run.a += second ? 0 : 1;
        run.b += second ? 1 : 0;
    }
    for (; run.a < run.a_end; ++run.a) lanes.take(run.to++, run.a);
    for (; run.b < run.b_end; ++run.b) lanes.take(run.to++, run.b);
}

/// So many steps of each of the runs, in turn. What they have taken of their first lines is all that has to be kept of each.
template <std::size_t... Parts, class Lanes>
void advance(std::array<Run, sizeof...(Parts)>& runs, std::int64_t steps, const Lanes& lanes,
             std::index_sequence<Parts...>) {
    std::array<std::int64_t, sizeof...(Parts)> a{runs[Parts].a...};
    const std::array<std::int64_t, sizeof...(Parts)> both{(runs[Parts].a + runs[Parts].b)...}, to{runs[Parts].to...};
    for (std::int64_t k = 0; k < steps; ++k)
        ((a[Parts] += lanes.take_least(to[Parts] + k, a[Parts], both[Parts] + k - a[Parts]) ? 0 : 1), ...);
    ((runs[Parts] = {a[Parts], runs[Parts].a_end, both[Parts] + steps - a[Parts], runs[Parts].b_end, to[Parts] + steps}),
     ...);
}

template <class Lanes>
void merge(const Run& run, const Lanes& lanes) {
    constexpr std::size_t at_once = 4;
    std::array<Run, at_once> parts = divide<at_once>(run, lanes);
    auto safe_steps = [&] {
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        for (const Run& part : parts) least = std::min(least, part.safe_steps());
        return least;
    };
    for (std::int64_t steps = safe_steps(); steps > 0; steps = safe_steps())
        advance(parts, steps, lanes, std::make_index_sequence<at_once>());
    for (const Run& part : parts) finish(part, lanes);
}

/// Merges every two of the lines, which follow each other; an odd one is copied.
template <class Lanes>
void merge_neighbours(const std::vector<std::int64_t>& lengths, const Lanes& lanes, int threads) {
    constexpr std::int64_t together = tuning::sorted_together;
    std::int64_t begin = 0;
    for (std::size_t k = 0; k < lengths.size(); k += 2) {
        const std::int64_t middle = begin + lengths[k], end = middle + (k + 1 < lengths.size() ? lengths[k + 1] : 0);
        const Run all{begin, middle, middle, end, begin};
        parallel_for((all.length() + together - 1) / together, threads, [&](std::int64_t part) {
            const Run before = cut(all, part * together, lanes);
            const Run up_to = cut(all, std::min(all.length(), (part + 1) * together), lanes);
            merge({before.a_end, up_to.a_end, before.b_end, up_to.b_end, begin + part * together}, lanes);
        });
        begin = end;
    }
}

}  // namespace sinter::runtime::merging
