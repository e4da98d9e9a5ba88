// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A part of a launch is a range of the outermost parallel axis: the points [begin, end) along it, with all points of the
/// other axes. Sizes stay those of the whole launch, so that indices, borders and checks are; a buffer of which a part
/// touches some elements only may lie elsewhere, as long as these are where its address plus their offset is.
///
/// Which elements a part touches follows from the kernel alone: offsets are bounded by linear functions of the outermost
/// index, found by interval arithmetic.
#pragma once

#include "lower/kernel.hpp"
#include "schedule/affine.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::schedule {

/// Elements [begin, end) of an array.
struct Interval {
    std::int64_t begin = 0, end = 0;

    bool empty() const { return begin >= end; }
    std::int64_t length() const { return empty() ? 0 : end - begin; }
    bool operator==(const Interval&) const = default;
};

/// The least interval that contains both.
inline Interval hull(const Interval& a, const Interval& b) {
    if (a.empty() || b.empty()) return a.empty() ? b : a;
    return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

/// Numbers from slope * i + low to slope * i + high, and those farther or nearer by multiples of `every`: the bands of a
/// matrix that index i of its inner axis reads, row by row.
struct Bands {
    std::int64_t every = 0;  ///< 0: there are none
    std::int64_t slope = 0, low = 0, high = 0;
    bool operator==(const Bands&) const = default;
};

/// Elements that are looked up: for each number v that is loaded from another buffer, those from factor * v + low to
/// factor * v + high.
struct Lookup {
    std::int64_t factor = 0;  ///< 0: there are none
    std::size_t by = 0;       ///< the buffer with the numbers
    std::int64_t low = 0, high = 0;
};

/// What the points of outermost index i touch of a buffer: elements from (slope * i + low) / over to (slope * i + high) /
/// over.
struct Reach {
    enum class Kind : std::uint8_t { nothing, near, anything } kind = Kind::nothing;
    std::int64_t slope = 0, low = 0, high = 0;
    bool wraps = false;     ///< where that is outside the array, the elements as far from its other end
    Bands bands = {};       ///< if there are any, of those only the elements that are in them, too
    Lookup lookup = {};     ///< of anything: if there are any, these elements only
    std::int64_t over = 1;  ///< more than 1 where several indices share elements, as those of i / 2 do

    /// Of indices [part.begin, part.end), in a buffer of so many elements.
    Interval of(const Interval& part, std::int64_t elements) const;
    /// The same, where elements at both ends of the array are apart, or in bands: in their order, with gaps between them.
    std::vector<Interval> parts_of(const Interval& part, std::int64_t elements) const;
    /// The indices, of so many, whose elements may be among these; it has to be near, with a positive slope.
    Interval indices(const Interval& elements, std::int64_t extent) const;
    /// Those of which all elements are among these.
    Interval indices_within(const Interval& elements, std::int64_t extent) const;
};

struct PartFacts {
    bool possible = false;     ///< the launch may be executed in parts: every part writes elements of its own only
    std::int64_t extent = 1;   ///< of the outermost axis
    std::vector<Reach> reach;  ///< by buffer. Index i writes of each output exactly elements [slope * i, slope * (i + 1)),
                               ///< unless the output begins as a copy
    bool checked = false;      ///< something may be reported
    /// By buffer, for outputs that begin as copies: index i writes all elements within its reach, and not only some.
    std::vector<bool> dense = {};
    /// By buffer: what the whole launch touches is among these elements. Unlike `reach`, this is exact at the borders of
    /// axes that an index is kept within.
    std::vector<Interval> within = {};
};

/// What outputs that begin as copies of inputs are to a part.
enum class Overwriting : std::uint8_t {
    refused,  ///< launches that have some are not possible
    apart,    ///< whoever launches the part has copied what the part does not write
};

/// What elements that several points update are to a part.
enum class Updating : std::uint8_t {
    refused,  ///< launches with updates are not possible
    apart,    ///< each part has copies of the arrays, whose inputs it needs whole; they have no reach
};

/// `sizes`: the kernel's size table. Linear in the kernel's instructions.
PartFacts part_facts(const lower::Kernel& kernel, const std::int64_t* sizes, Overwriting overwriting = Overwriting::refused,
                     Updating updating = Updating::refused, const KnownNumbers& known = {});

/// The same of parts along the outermost axis of a loop of the kernel's body, as chunks are: `extent` is that of this axis.
/// Of outputs, only those have a reach of which a scan writes an element for each index; what compacts keep has none.
PartFacts chunk_facts(const lower::Kernel& kernel, const lower::Inst& loop, std::int64_t extent, const std::int64_t* sizes);

}  // namespace sinter::schedule
