// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/steps/bounds.hpp"

#include <algorithm>

namespace sinter::schedule {

namespace {

constexpr std::int64_t most = std::int64_t{1} << 48;  ///< beyond all offsets

Bands bands_of(Wide every, Wide slope, Wide low, Wide high) {
    if (every >= most || !bounded(slope, low, high)) return {};
    return {static_cast<std::int64_t>(every), static_cast<std::int64_t>(slope), static_cast<std::int64_t>(low),
            static_cast<std::int64_t>(high)};
}

Range range(Wide begin, Wide end) {
    if (begin <= -most || end >= most) return std::nullopt;
    return Interval{static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)};
}

}  // namespace

Range range_of(const Value& v, std::int64_t last) {
    if (!v || v->wraps) return std::nullopt;
    const Wide far = Wide{v->slope} * last;
    return range(v->low + std::min<Wide>(0, far), v->high + std::max<Wide>(0, far) + 1);
}

Range combined(ir::Op op, const Range& a, const Range& b) {
    if (op == ir::Op::wrap || op == ir::Op::symmetric || op == ir::Op::reflect)
        return b && b->end > 1 ? range(0, b->end - 1) : std::nullopt;
    if (!a || !b || a->empty() || b->empty()) return std::nullopt;
    const Wide first = a->begin, last = a->end - 1, other = b->begin, far = b->end - 1;
    switch (op) {
        case ir::Op::add:
            return range(first + other, last + far + 1);
        case ir::Op::sub:
            return range(first - far, last - other + 1);
        case ir::Op::mul: {
            const auto [least, largest] = std::minmax({first * other, first * far, last * other, last * far});
            return range(least, largest + 1);
        }
        case ir::Op::minimum:
            return range(std::min(first, other), std::min(last, far) + 1);
        case ir::Op::maximum:
            return range(std::max(first, other), std::max(last, far) + 1);
        case ir::Op::check_index:  // 0 where it fails
            return first >= 0 && last < other ? a : range(0, std::max<Wide>(1, far));
        default:
            return std::nullopt;
    }
}

Range common(const Range& a, const Range& b) {
    if (!a || !b) return a ? a : b;
    return Interval{std::max(a->begin, b->begin), std::min(a->end, b->end)};
}

Value bounded(Wide slope, Wide low, Wide high, bool wraps) {
    auto fits = [](Wide n) { return -most < n && n < most; };
    if (!fits(slope) || !fits(low) || !fits(high)) return std::nullopt;
    return Bounds{static_cast<std::int64_t>(slope), static_cast<std::int64_t>(low), static_cast<std::int64_t>(high), wraps};
}

Value with(Value v, const Bands& bands) {
    if (v) v->bands = bands;
    return v;
}

Bands sum_bands(const Bounds& a, const Bounds& b) {
    if (a.bands.every < b.bands.every) return sum_bands(b, a);
    const Bands &far = a.bands, &near = b.bands;
    if (far.every == 0) return {};
    if (near.every == 0 || far.every % near.every != 0)
        return bands_of(far.every, Wide{far.slope} + b.slope, Wide{far.low} + b.low, Wide{far.high} + b.high);
    return bands_of(near.every, Wide{far.slope} + near.slope, Wide{far.low} + near.low, Wide{far.high} + near.high);
}

Bands scaled_bands(const Bounds& a, std::int64_t factor) {
    const Bands& s = a.bands;
    if (s.every > 0)
        return bands_of(Wide{factor} * s.every, Wide{factor} * s.slope, Wide{factor} * s.low, Wide{factor} * s.high);
    return a.slope == 0 && a.low < a.high ? bands_of(factor, 0, 0, 0) : Bands();
}

Bands either_bands(const Bands& a, const Bands& b) {
    if (a.every != b.every || a.slope != b.slope) return {};
    return {a.every, a.slope, std::min(a.low, b.low), std::max(a.high, b.high)};
}

Lookup either_lookup(const Lookup& a, const Lookup& b) {
    if (a.factor != b.factor || a.by != b.by) return {};
    return {a.factor, a.by, std::min(a.low, b.low), std::max(a.high, b.high)};
}

}  // namespace sinter::schedule
