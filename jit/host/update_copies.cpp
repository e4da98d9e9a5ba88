// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/update_launch.hpp"

#include "run/threads.hpp"
#include "support/buffer.hpp"

#include <algorithm>
#include <cstring>

namespace sinter::host {

using emit::Arguments;
using emit::Tile;

namespace {

void fill(void* to, std::int64_t count, std::size_t size, std::uint64_t pattern) {
    char* at = static_cast<char*>(to);
    if (pattern == 0) std::memset(at, 0, static_cast<std::size_t>(count) * size);
    for (std::int64_t i = 0; pattern != 0 && i < count; ++i, at += size) std::memcpy(at, &pattern, size);
}

class Copies {
  public:
    explicit Copies(const UpdateLaunch& launch) : l_(launch), count_(launch.tiling.tasks()) {
        std::size_t end = 0;
        for (std::size_t v = 0; v < values(); ++v) {
            starts_.push_back(end);
            end += (static_cast<std::size_t>(l_.elements) * l_.bytes(v) + line - 1) / line * line;
        }
        stride_ = end;
        memory_ = allocate(stride_ * static_cast<std::size_t>(count_));
    }

    void run(emit::Entry in_order, emit::Entry merged) {
        runtime::parallel_for(count_, l_.launch.threads, [&](std::int64_t k) { update(in_order, k); });
        if (l_.failed()) return;
        const std::int64_t range = 4096, ranges = (l_.elements + range - 1) / range;
        runtime::parallel_for(ranges, l_.launch.threads,
                              [&](std::int64_t k) { merge(merged, k * range, std::min(l_.elements, (k + 1) * range)); });
    }

  private:
    static constexpr std::size_t line = 64;

    std::size_t values() const { return l_.kernels.types.size(); }
    void* copy(std::int64_t k, std::size_t v) const {
        return static_cast<char*>(memory_->data) + static_cast<std::size_t>(k) * stride_ + starts_[v];
    }

    void update(emit::Entry in_order, std::int64_t k) const {
        llvm::SmallVector<void*, 16> buffers(l_.launch.buffers, l_.launch.buffers + l_.kernels.noted.buffers.size() - 1);
        for (std::size_t v = 0; v < values(); ++v) {
            buffers[l_.kernels.first + v] = copy(k, v);
            fill(copy(k, v), l_.elements, l_.bytes(v), (*l_.kernels.neutral)[v]);
        }
        Arguments arguments = arguments_of(l_.launch, l_.tiling);
        arguments.buffers = buffers.data();
        const Tile tile = l_.tiling.tile(k);
        in_order(&arguments, &tile);
    }

    /// Of the elements [begin, end), all copies.
    void merge(emit::Entry merged, std::int64_t begin, std::int64_t end) const {
        llvm::SmallVector<void*, 16> buffers(values());
        for (std::size_t v = 0; v < values(); ++v) buffers.push_back(l_.updated(v));
        Arguments arguments = arguments_of(l_.launch, l_.tiling);
        arguments.buffers = buffers.data();
        arguments.sizes = &l_.elements;
        Tile tile{};
        tile.row_end = 1;
        tile.begin = begin;
        tile.end = end;
        for (std::int64_t k = 0; k < count_; ++k) {
            for (std::size_t v = 0; v < values(); ++v) buffers[v] = copy(k, v);
            merged(&arguments, &tile);
        }
    }

    const UpdateLaunch& l_;
    const std::int64_t count_;
    std::vector<std::size_t> starts_;  ///< by value, in a copy
    std::size_t stride_ = 0;           ///< from copy to copy
    BufferRef memory_;
};

}  // namespace

void update_copies(const UpdateLaunch& launch, emit::Entry in_order, emit::Entry merged) {
    Copies(launch).run(in_order, merged);
}

}  // namespace sinter::host
