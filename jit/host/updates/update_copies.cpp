// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/updates/fill.hpp"
#include "jit/host/updates/update_launch.hpp"

#include "run/threads/threads.hpp"
#include "support/buffer.hpp"
#include "support/stack_array.hpp"

#include <algorithm>

namespace sinter::host {

using emit::Arguments;
using emit::Tile;

namespace {

class Copies {
  public:
    Copies(const UpdateLaunch& launch, emit::Entry in_order, emit::Entry merged)
        : l_(launch), in_order_(in_order), merged_(merged), count_(launch.tasks.count()) {
        std::size_t end = 0;
        for (std::size_t v = 0; v < l_.values(); ++v) {
            starts_.push_back(end);
            end += (static_cast<std::size_t>(l_.elements) * l_.bytes(v) + line - 1) / line * line;
        }
        stride_ = end;
        memory_ = allocate(stride_ * static_cast<std::size_t>(count_ - 1));
    }

    void run() {
        runtime::parallel_for(count_, l_.launch.threads, [&](std::int64_t k) {
            if (!l_.stops()) update(k);
        });
        if (l_.failed()) return;
        const std::int64_t range = schedule::tuning::merged_elements, ranges = (l_.elements + range - 1) / range;
        runtime::parallel_for(ranges, l_.launch.threads, [&](std::int64_t k) {
            if (!l_.stops()) merge(k * range, std::min(l_.elements, (k + 1) * range));
        });
    }

  private:
    static constexpr std::size_t line = schedule::tuning::cache_line;

    /// The first copy is the array itself.
    void* copy(std::int64_t k, std::size_t v) const {
        if (k == 0) return l_.updated(v);
        return static_cast<char*>(memory_->data) + static_cast<std::size_t>(k - 1) * stride_ + starts_[v];
    }

    void update(std::int64_t k) const {
        const Tile tile = tile_of(l_.tasks, k);
        StackArray<void*, 16> buffers(l_.kernels.noted.buffers.size() - 1);
        std::copy_n(l_.launch.buffers, buffers.size(), buffers.data());
        for (std::size_t v = 0; v < l_.values(); ++v) {
            void* const mine = buffers[l_.kernels.first + v] = copy(k, v);
            if (k > 0) fill(mine, l_.elements, l_.bytes(v), (*l_.kernels.neutral)[v]);
        }
        Arguments arguments = arguments_of(l_.launch, l_.tasks, l_.kernels.noted);
        arguments.buffers = buffers.data();
        in_order_(&arguments, &tile);
    }

    /// Merges the elements [begin, end) of all copies.
    void merge(std::int64_t begin, std::int64_t end) const {
        StackArray<void*, 16> buffers(2 * l_.values());
        for (std::size_t v = 0; v < l_.values(); ++v) buffers[l_.values() + v] = l_.updated(v);
        Arguments arguments = arguments_of(l_.launch, l_.tasks, l_.kernels.noted);
        arguments.buffers = buffers.data();
        arguments.sizes = &l_.elements;
        Tile tile{};
        tile.row_end = 1;
        tile.begin = begin;
        tile.end = end;
        for (std::int64_t k = 1; k < count_; ++k) {
            for (std::size_t v = 0; v < l_.values(); ++v) buffers[v] = copy(k, v);
            merged_(&arguments, &tile);
        }
    }

    const UpdateLaunch& l_;
    const emit::Entry in_order_, merged_;
    const std::int64_t count_;
    std::vector<std::size_t> starts_;  ///< by value, in a copy
    std::size_t stride_ = 0;           ///< distance from copy to copy
    BufferRef memory_;
};

}  // namespace

void update_copies(const UpdateLaunch& launch, emit::Entry in_order, emit::Entry merged) {
    Copies(launch, in_order, merged).run();
}

}  // namespace sinter::host
