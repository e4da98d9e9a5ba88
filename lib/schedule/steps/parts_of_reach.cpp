// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which elements the indices of a part reach.
#include "schedule/steps/bounds.hpp"

namespace sinter::schedule {

namespace {

/// As many as there may be, inside of the array or not.
Interval linear(const Reach& r, const Interval& part) {
    return {ceil_div(r.slope * part.begin + r.low, r.over), floor_div(r.slope * (part.end - 1) + r.high, r.over) + 1};
}

}  // namespace

Interval Reach::of(const Interval& part, std::int64_t elements) const {
    if (kind == Kind::nothing || part.empty()) return {};
    const Interval all = linear(*this, part);
    const bool is_outside = wraps && (all.begin < 0 || all.end > elements);
    if (kind == Kind::anything || is_outside) return {0, elements};
    return {std::max<std::int64_t>(0, all.begin), std::min(elements, all.end)};
}

namespace {

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
    const auto [begin, end] = linear(*this, part);
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
    const std::int64_t first = ceil_div(elements.begin * over - high, slope),
                       last = floor_div((elements.end - 1) * over - low, slope);
    return {std::max<std::int64_t>(0, first), std::min(extent, last + 1)};
}

Interval Reach::indices_within(const Interval& elements, std::int64_t extent) const {
    const std::int64_t first = ceil_div((elements.begin - 1) * over + 1 - low, slope),
                       last = floor_div(elements.end * over - 1 - high, slope);
    return {std::max<std::int64_t>(0, first), std::min(extent, last + 1)};
}

}  // namespace sinter::schedule
