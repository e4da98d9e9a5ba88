// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/cards/ranges.hpp"

#include <algorithm>

namespace sinter::gpu {

void Ranges::add(const Interval& bytes) {
    if (bytes.empty()) return;
    Interval whole = bytes;
    std::vector<Interval> result;
    for (const Interval& range : ranges_)
        if (range.end < whole.begin || range.begin > whole.end)
            result.push_back(range);
        else
            whole = hull(whole, range);
    const auto behind = std::find_if(result.begin(), result.end(), [&](const Interval& r) { return r.begin > whole.begin; });
    result.insert(behind, whole);
    ranges_ = std::move(result);
}

void Ranges::remove(const Interval& bytes) {
    if (bytes.empty()) return;
    std::vector<Interval> result;
    for (const Interval& range : ranges_) {
        const Interval before{range.begin, std::min(range.end, bytes.begin)},
            after{std::max(range.begin, bytes.end), range.end};
        for (const Interval& rest : {before, after})
            if (!rest.empty()) result.push_back(rest);
    }
    ranges_ = std::move(result);
}

std::vector<Interval> Ranges::present(const Interval& bytes) const {
    std::vector<Interval> result;
    for (const Interval& range : ranges_) {
        const Interval common{std::max(range.begin, bytes.begin), std::min(range.end, bytes.end)};
        if (!common.empty()) result.push_back(common);
    }
    return result;
}

std::vector<Interval> Ranges::missing(const Interval& bytes) const {
    std::vector<Interval> result;
    std::int64_t at = bytes.begin;
    for (const Interval& here : present(bytes)) {
        if (here.begin > at) result.push_back({at, here.begin});
        at = here.end;
    }
    if (at < bytes.end) result.push_back({at, bytes.end});
    return result;
}

std::int64_t length_of(const std::vector<Interval>& ranges) {
    std::int64_t length = 0;
    for (const Interval& range : ranges) length += range.length();
    return length;
}

}  // namespace sinter::gpu
