// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Updates that have been noted, grouped by ranges of their offsets ("buckets").
#pragma once

#include "ir/type.hpp"
#include "support/buffer.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter::host {

/// Room for so many notes: their offsets, u32, and values of these types, in one piece of memory.
class Notes {
  public:
    Notes(std::size_t room, std::span<const ir::Scalar> types);
    std::uint32_t* offsets() const { return static_cast<std::uint32_t*>(memory_->data); }
    void* values(std::size_t v) const { return static_cast<char*>(memory_->data) + starts_[v]; }

  private:
    std::vector<std::size_t> starts_;
    BufferRef memory_;
};

/// An offset that means: no update.
inline constexpr std::uint32_t no_offset = 0xffffffff;

/// Bucket b holds the offsets from b << shift to below (b + 1) << shift.
struct Buckets {
    /// Notes between one bucket and the next: else buckets of like size begin in the same sets of the nearest cache.
    static constexpr std::size_t gap = 16;
    std::size_t count;
    int shift;
    std::size_t room(std::size_t notes) const { return notes + (count + 1) * gap; }
};

/// What a thread groups with.
struct GroupScratch {
    GroupScratch(std::size_t room, const Buckets& buckets, std::span<const ir::Scalar> types)
        : notes(room, types), next(buckets.count + 2) {}
    Notes notes;
    std::vector<std::uint32_t> next;
};

/// Moves the scratch's first `count` notes to `to`, bucket by bucket and in order, their offsets now relative to the
/// bucket's first; those without an offset behind all others. `to` has room for the gaps. begins[b] is where bucket b
/// begins; it ends Buckets::gap before the next, of which there is one more than buckets.
void group(GroupScratch& scratch, std::size_t count, const Buckets& buckets, std::span<const ir::Scalar> types,
           const Notes& to, std::uint32_t* begins);

}  // namespace sinter::host
