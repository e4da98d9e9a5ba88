// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sets of bytes of an array.
#pragma once

#include "schedule/steps/reach.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinter::gpu {

using schedule::Interval;

/// Intervals that are apart, in their order. All functions take time proportional to their number.
class Ranges {
  public:
    void add(const Interval& bytes);
    void remove(const Interval& bytes);
    /// The parts of the interval that are in the set, and those that are not.
    std::vector<Interval> present(const Interval& bytes) const;
    std::vector<Interval> missing(const Interval& bytes) const;
    const std::vector<Interval>& all() const { return ranges_; }

  private:
    std::vector<Interval> ranges_;
};

/// How many bytes these are.
std::int64_t length_of(const std::vector<Interval>& ranges);

}  // namespace sinter::gpu
