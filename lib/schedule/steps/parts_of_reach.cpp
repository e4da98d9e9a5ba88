// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements the indices of a part reach.
#include "schedule/steps/reach.hpp"

namespace sinter::schedule {

Interval Reach::of(const Interval& part, std::int64_t elements) const {
    if (kind == Kind::nothing || part.empty()) return {};
    const bool is_outside = wraps && (slope * part.begin + low < 0 || slope * (part.end - 1) + high >= elements);
    if (kind == Kind::anything || is_outside) return {0, elements};
    return {std::max<std::int64_t>(0, slope * part.begin + low), std::min(elements, slope * (part.end - 1) + high + 1)};
}

namespace {

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// Those of indices [part.begin, part.end) within `all`.
std::vector<Interval> cut(const Interval& all, const Bands& bands, const Interval& part) {
    const std::int64_t first = bands.slope * part.begin + bands.low;
    const std::int64_t length = bands.slope * (part.length() - 1) + bands.high - bands.low + 1;
    if (length >= bands.every) return {all};
    std::vector<Interval> parts;
    for (std::int64_t k = floor_div(all.begin - first - length, bands.every) + 1;; ++k) {
        const std::int64_t begin = first + k * bands.every;
        if (begin >= all.end) return parts;
        parts.push_back({std::max(begin, all.begin), std::min(begin + length, all.end)});
    }
}

}  // namespace

std::vector<Interval> Reach::parts_of(const Interval& part, std::int64_t elements) const {
    const std::int64_t begin = slope * part.begin + low, end = slope * (part.end - 1) + high + 1;
    const Interval all = of(part, elements);
    if (all.empty()) return {};
    if (bands.every > 0) return cut(all, bands, part);
    const bool is_outside = kind == Kind::near && wraps && (begin < 0 || end > elements);
    if (!is_outside || begin < -elements || end > 2 * elements || end - begin >= elements) return {all};
    if (end <= 0) return {{begin + elements, end + elements}};
    if (begin >= elements) return {{begin - elements, end - elements}};
    return {{0, begin < 0 ? end : end - elements}, {begin < 0 ? begin + elements : begin, elements}};
}

Interval Reach::indices(const Interval& elements, std::int64_t extent) const {
    if (elements.empty()) return {};
    const std::int64_t first = -floor_div(high - elements.begin, slope), last = floor_div(elements.end - 1 - low, slope);
    return {std::max<std::int64_t>(0, first), std::min(extent, last + 1)};
}

}  // namespace sinter::schedule
