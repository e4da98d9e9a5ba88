// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/steps/bounds.hpp"

#include <algorithm>
#include <numeric>

namespace sinter::schedule {

namespace {

constexpr std::int64_t most = std::int64_t{1} << 48;  ///< beyond all offsets

Bands bands_of(Wide every, Wide slope, Wide low, Wide high) {
    if (every >= most || !bounded(slope, low, high)) return {};
    return {static_cast<std::int64_t>(every), static_cast<std::int64_t>(slope), static_cast<std::int64_t>(low),
            static_cast<std::int64_t>(high)};
}

Wide floor_over(Wide a, Wide b) { return a / b - (a % b < 0 ? 1 : 0); }
Wide ceil_over(Wide a, Wide b) { return a / b + (a % b > 0 ? 1 : 0); }

Range range(Wide begin, Wide end) {
    if (begin <= -most || end >= most) return std::nullopt;
    return Interval{static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)};
}

}  // namespace

Range range_of(const Value& v, std::int64_t last) {
    if (!v || v->wraps) return std::nullopt;
    const Wide far = Wide{v->slope} * last;
    return range(ceil_over(v->low + std::min<Wide>(0, far), v->over),
                 floor_over(v->high + std::max<Wide>(0, far), v->over) + 1);
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

Value bounded(Wide slope, Wide low, Wide high, bool wraps, Wide over) {
    auto fits = [](Wide n) { return -most < n && n < most; };
    if (!fits(slope) || !fits(over)) return std::nullopt;
    const std::int64_t common = std::gcd(static_cast<std::int64_t>(slope), static_cast<std::int64_t>(over));
    low = ceil_over(low, common), high = floor_over(high, common);
    if (!fits(low) || !fits(high)) return std::nullopt;
    return Bounds{static_cast<std::int64_t>(slope) / common,
                  static_cast<std::int64_t>(low),
                  static_cast<std::int64_t>(high),
                  wraps,
                  {},
                  static_cast<std::int64_t>(over) / common};
}

Value with(Value v, const Bands& bands) {
    if (v) v->bands = bands;
    return v;
}

std::optional<std::pair<Bounds, Bounds>> over_one(const Bounds& a, const Bounds& b) {
    if (a.over == b.over) return std::pair(a, b);
    const Wide over = Wide{a.over} / std::gcd(a.over, b.over) * b.over;
    auto expanded = [&](const Bounds& v) -> Value {
        const Wide factor = over / v.over;
        auto fits = [&](Wide n) { return -most < n * factor && n * factor < most; };
        if (over >= most || !fits(v.slope) || !fits(v.low) || !fits(v.high)) return std::nullopt;
        const auto by = static_cast<std::int64_t>(factor);
        return Bounds{v.slope * by, v.low * by, v.high * by, v.wraps, {}, v.over * by};
    };
    const Value x = expanded(a), y = expanded(b);
    if (!x || !y) return std::nullopt;
    return std::pair(*x, *y);
}

Value sum(const Bounds& a, const Bounds& b) {
    const auto both = over_one(a, b);
    if (!both) return std::nullopt;
    const auto& [x, y] = *both;
    return with(bounded(Wide{x.slope} + y.slope, Wide{x.low} + y.low, Wide{x.high} + y.high, x.wraps || y.wraps, x.over),
                sum_bands(a, b));
}

Value difference(const Bounds& a, const Bounds& b) {
    const auto both = over_one(a, b);
    if (!both || b.wraps) return std::nullopt;
    const auto& [x, y] = *both;
    return bounded(Wide{x.slope} - y.slope, Wide{x.low} - y.high, Wide{x.high} - y.low, x.wraps, x.over);
}

Value scaled(const Bounds& a, std::int64_t factor) {
    const Wide low = Wide{a.low} * factor, high = Wide{a.high} * factor;
    return with(bounded(Wide{a.slope} * factor, std::min(low, high), std::max(low, high), a.wraps, a.over),
                factor > 1    ? scaled_bands(a, factor)
                : factor == 1 ? a.bands
                              : Bands());
}

Value quotient(const Bounds& a, std::int64_t by, bool rounds_down) {
    if (a.wraps) return std::nullopt;
    const Wide rest = Wide{by - 1} * a.over;
    return bounded(a.slope, a.low - rest, rounds_down ? Wide{a.high} : a.high + rest, false, Wide{by} * a.over);
}

Value remainder(const Bounds& a, std::int64_t by, std::int64_t last) {
    const Range all = range_of(a, last);
    if (all && all->begin >= 0 && all->end <= by) return a;
    return bounded(0, all && all->begin >= 0 ? 0 : 1 - by, by - 1);
}

Bands sum_bands(const Bounds& a, const Bounds& b) {
    if (a.bands.every < b.bands.every) return sum_bands(b, a);
    const Bands &far = a.bands, &near = b.bands;
    if (far.every == 0 || b.over != 1) return {};
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
