// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays of which every rank has its rows.
#pragma once

#include "place/layout.hpp"
#include "support/buffer.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace sinter::runtime {

using schedule::Interval;

/// Memory for some elements of an array.
struct Piece {
    BufferRef memory;
    void* data = nullptr;  ///< where element 0 would be: as far from the beginning of a cache line as in the whole array
};
/// Throws std::bad_alloc.
Piece allocate_piece(Interval elements, std::int64_t bytes_each);
/// For intervals in their order, of which the last may be far behind the first: takes memory for what is between them only
/// if it is not much.
Piece allocate_piece(const std::vector<Interval>& elements, std::int64_t bytes_each);

/// To be called where columns of such an array are read, of which there may be more: from then on the ranks of this machine
/// can map their rows (views.hpp). Others are in memory of the process's own, which has huge pages.
void expect_columns(const place::Layout& layout, std::int64_t bytes_each);

/// To others it is like an array on a device: its address is where element 0 would be, which nobody may follow who does not
/// know of ranks, and the copy on the host is the whole array, which all ranks have to ask for at once.
class SpreadArray final : public Buffer {
  public:
    /// With uninitialised rows, and room for `more` elements. Throws std::bad_alloc.
    SpreadArray(const place::Layout& layout, std::int64_t bytes_each, Interval more = {});
    /// Of memory that has this rank's rows already.
    SpreadArray(const place::Layout& layout, std::int64_t bytes_each, Piece part);

    const place::Layout& layout() const { return layout_; }
    std::int64_t bytes_each() const { return bytes_each_; }
    /// The elements of this rank.
    Interval own() const { return own_; }

    /// Where element 0 would be in the file of memory that other processes can map; none if the rows are not in it.
    std::optional<std::int64_t> offset_in_shared() const;

    /// False if the process has never made one.
    static bool exist() { return exist_.load(std::memory_order_relaxed); }

    /// All ranks have to call this, on the threads that made Ranks. Throws Limitation on other threads, UsageError where the
    /// ranks have parted or are doing different things, DeviceError, std::bad_alloc.
    BufferRef fetch() override;

  private:
    static std::atomic<bool> exist_;
    place::Layout layout_;
    std::int64_t bytes_each_;
    Interval own_;
    Piece part_;
    std::uint64_t identity_;  ///< the same on all ranks
    std::mutex mutex_;
};

/// Null for arrays of other kinds.
inline SpreadArray* spread(const BufferRef& array) {
    return array && array->on_device && SpreadArray::exist() ? dynamic_cast<SpreadArray*>(array.get()) : nullptr;
}

}  // namespace sinter::runtime
