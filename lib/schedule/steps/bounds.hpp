// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known of a 64-bit number that a kernel computes at outermost index i: interval arithmetic for
/// schedule/steps/reach.hpp.
#pragma once

#include "ir/op.hpp"
#include "schedule/steps/reach.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace sinter::schedule {

/// From (slope * i + low) / over to (slope * i + high) / over.
struct Bounds {
    std::int64_t slope, low, high;
    bool wraps = false;  ///< plus a multiple of slope / over times the outermost extent
    Bands bands = {};    ///< that the values are in, too; `over` is 1 then
    std::int64_t over = 1;
    bool is_constant() const { return slope == 0 && low == high; }
};
__extension__ using Wide = __int128;  ///< for sums and products of 64-bit numbers
using Value = std::optional<Bounds>;  ///< none: anything

using Range = std::optional<Interval>;  ///< the values over all indices; none: anything

/// Of what is bounded, with outermost indices from 0 to `last`.
Range range_of(const Value& v, std::int64_t last);
/// Of a result, from those of two operands: arithmetic, extremes, and what keeps an index within an axis.
Range combined(ir::Op op, const Range& a, const Range& b);
/// What is in both, where both are known.
Range common(const Range& a, const Range& b);

/// Rounded down, and up.
inline std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
inline std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

/// In lowest terms; nothing where numbers are beyond all offsets.
Value bounded(Wide slope, Wide low, Wide high, bool wraps = false, Wide over = 1);
Value with(Value v, const Bands& bands);
/// The same values over the same number.
std::optional<std::pair<Bounds, Bounds>> over_one(const Bounds& a, const Bounds& b);

Value sum(const Bounds& a, const Bounds& b);
Value difference(const Bounds& a, const Bounds& b);
Value scaled(const Bounds& a, std::int64_t factor);
/// Of a division by a number above 0, and what is left. `rounds_down`: below 0, too.
Value quotient(const Bounds& a, std::int64_t by, bool rounds_down);
Value remainder(const Bounds& a, std::int64_t by, std::int64_t last);

/// Of sums. What is in no bands is near one multiple of any number.
Bands sum_bands(const Bounds& a, const Bounds& b);
/// Of multiples of a number above 0.
Bands scaled_bands(const Bounds& a, std::int64_t factor);
/// What contains both.
Bands either_bands(const Bands& a, const Bands& b);
Lookup either_lookup(const Lookup& a, const Lookup& b);

}  // namespace sinter::schedule
