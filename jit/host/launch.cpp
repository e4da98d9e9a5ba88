// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/launch.hpp"

#include "jit/host/chain.hpp"
#include "jit/host/task_memory.hpp"
#include "run/threads.hpp"
#include "support/buffer.hpp"

#include <algorithm>
#include <array>

namespace sinter::host {

using emit::Arguments;
using emit::Start;
using emit::Tile;

namespace {

constexpr double waking_work = 30000;    ///< vector instructions that pay for waking another thread
constexpr double parallel_work = 12000;  ///< and for sharing them with one that is awake

bool is_shared(double work) { return work >= waking_work || (work >= parallel_work && runtime::threads_ready()); }

void report(runtime::ErrorSlot* slot, std::uint32_t check, std::int64_t first, std::int64_t stride, std::int64_t count,
            std::int64_t extent) {
    for (; count > 1 && first >= 0 && first < extent; --count) first += stride;
    std::uint32_t none = 0;
    if (!slot->check.compare_exchange_strong(none, check + 1)) return;
    slot->index = first;
    slot->extent = extent;
}

/// Memory for partial results: on the stack while small.
class PartialMemory {
  public:
    PartialMemory(const Tiling& tiling, const std::vector<std::size_t>& bytes) : arrays_(bytes.size()) {
        std::size_t total = 0;
        auto size = [&](std::size_t k) {
            return (static_cast<std::size_t>(tiling.chunks * tiling.points) * bytes[k] + 63) / 64 * 64;
        };
        for (std::size_t k = 0; k < bytes.size(); ++k) total += size(k);
        char* at = small_.data();
        if (total > small_.size()) {
            large_ = allocate(total);
            at = static_cast<char*>(large_->data);
        }
        for (std::size_t k = 0; k < bytes.size(); ++k, at += size(k - 1)) arrays_[k] = at;
    }
    void* const* arrays() const { return arrays_.data(); }

  private:
    alignas(64) std::array<char, 4096> small_;
    BufferRef large_;
    llvm::SmallVector<void*, 4> arrays_;
};

/// A chunk at once, or a few indices at a time on top of what is there.
void run_tile(emit::Entry entry, const Arguments& arguments, Tile tile, std::int64_t step) {
    if (step == 0) return entry(&arguments, &tile);
    const std::int64_t end = tile.reduce_end;
    for (; tile.reduce_begin < end; tile.reduce_begin = tile.reduce_end, tile.start = Start::accumulate) {
        tile.reduce_end = std::min(end, tile.reduce_begin + step);
        tile.last = tile.reduce_end == end;
        entry(&arguments, &tile);
    }
}

}  // namespace

Arguments arguments_of(const runtime::Launch& launch, const Tiling& tiling) {
    return {launch.buffers, launch.sizes, launch.error, report, nullptr, tiling.points, tiling.chunks, -1};
}

void launch_kernel(const LoadedObject& object, const Tiling& tiling, const Traits& traits, const lower::Kernel& kernel,
                   const runtime::Launch& launch) {
    if (tiling.points <= 0) return;
    Arguments arguments = arguments_of(launch, tiling);
    arguments.ordinary_stores = tiling.bypass ? 0 : -1;
    const int threads = traits.in_order || launch.threads <= 1 || !is_shared(tiling.work) ? 1 : launch.threads;
    const std::size_t local = tiling.task_bytes();
    auto run_task = [&](emit::Entry entry, const Tiling& t, std::int64_t k) {
        Tile tile = t.tile(k);
        const TaskMemory memory(local);
        if (local > 0) {
            tile.local = tile.shared = memory.data();
            tile.sums = tile.shared + tiling.shared_bytes;
        }
        run_tile(entry, arguments, tile, t.step);
    };
    auto run_all = [&](emit::Entry entry, const Tiling& t) {
        const std::int64_t tasks = t.tasks();
        if (tasks == 1) return run_task(entry, t, 0);
        runtime::parallel_for(tasks, threads, [&](std::int64_t k) { run_task(entry, t, k); });
    };
    if (!tiling.partial()) return run_all(object.kernel(), tiling);
    if (traits.chunked->op != ir::Op::reduce) return launch_chained(object, tiling, traits, kernel, arguments, threads);
    const PartialMemory memory(tiling, traits.state_bytes);
    arguments.partials = memory.arrays();
    run_all(object.kernel(), tiling);
    if (launch.error->check.load() != 0) return;
    Tiling combine = tiling;
    combine.chunks = 1;
    combine.step = 0;
    run_all(object.finish(), combine);
}

}  // namespace sinter::host
