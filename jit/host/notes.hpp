// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Updates that have been noted, grouped by ranges of their offsets ("buckets").
#pragma once

#include "ir/type.hpp"
#include "support/buffer.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter::host {

/// Room for a number of notes: their offsets, u32, and values of these types, in one piece of memory.
class Notes {
  public:
    Notes(std::size_t room, std::span<const ir::Scalar> types);
    std::uint32_t* offsets() const { return static_cast<std::uint32_t*>(memory_->data); }
    void* values(std::size_t v) const { return static_cast<char*>(memory_->data) + starts_[v]; }

  private:
    std::vector<std::size_t> starts_;
    BufferRef memory_;
};

/// The offset that means that there is no update.
inline constexpr std::uint32_t no_offset = 0xffffffff;

/// Bucket b holds the offsets from b << shift up to, but not including, (b + 1) << shift.
struct Buckets {
    /// The number of notes between one bucket and the next: without the gap, buckets of similar size would begin in the same
    /// sets of the nearest cache.
    static constexpr std::size_t gap = 16;
    std::size_t count;
    int shift;
    std::size_t room(std::size_t notes) const { return notes + (count + 1) * gap; }
};

/// The memory that a thread needs for grouping.
struct GroupScratch {
    GroupScratch(std::size_t room, const Buckets& buckets, std::span<const ir::Scalar> types)
        : notes(room, types), next(buckets.count + 2) {}
    Notes notes;
    std::vector<std::uint32_t> next;
};

/// Moves the scratch's first `count` notes to `to`, bucket by bucket and in order, with offsets relative to the first of the
/// bucket; notes without an offset follow all others. `to` has room for the gaps. begins[b] is where bucket b begins; it
/// ends Buckets::gap before the next one begins. `begins` has one entry more than there are buckets.
void group(GroupScratch& scratch, std::size_t count, const Buckets& buckets, std::span<const ir::Scalar> types,
           const Notes& to, std::uint32_t* begins);

}  // namespace sinter::host
