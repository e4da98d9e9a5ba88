// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sorts rows on a device.
#pragma once

#include "jit/gpu/device/memory.hpp"
#include "jit/gpu/emit/sort/sort_kernels.hpp"
#include "run/execute/sort.hpp"

#include <deque>
#include <map>
#include <mutex>
#include <span>
#include <string>

namespace sinter::gpu {

/// Sorts on a device. Thread-safe.
class Sorter {
  public:
    Sorter(Device& device, Memory& memory) : device_(device), memory_(memory) {}

    /// As runtime::sort_rows, but returns when the device has begun. `to` of the columns is memory of the device. Rows are
    /// shorter than 2^32. Throws std::bad_alloc.
    void sort(std::span<const runtime::SortColumn> columns, std::size_t keys, bool descending, std::int64_t rows,
              std::int64_t count);

    /// Sorts numbers that are below `end` or have all bits set into `to`; `order` becomes their positions in order.
    void sort_numbers(const std::uint32_t* from, std::uint32_t* to, std::uint32_t* order, std::int64_t count,
                      std::int64_t end);

    /// Rows have to be shorter than this.
    static constexpr std::int64_t most_elements = std::int64_t{1} << 32;

  private:
    friend class SortRun;
    const Program& passes(const SortKind& kind);
    const Program& gather(int element_bytes);
    const Program& row_numbers();
    const Program& find(const std::string& name, const codegen::CardCode& code);

    Device& device_;
    Memory& memory_;
    std::mutex mutex_;
    std::map<std::string, std::unique_ptr<Program>> programs_;
};

}  // namespace sinter::gpu
