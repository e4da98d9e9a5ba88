// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/launch.hpp"

#include "jit/host/chain.hpp"
#include "jit/host/task_memory.hpp"
#include "run/thread_costs.hpp"
#include "run/threads.hpp"
#include "support/buffer.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace sinter::host {

using emit::Arguments;
using emit::Start;
using emit::Tile;

namespace {

constexpr double instructions_per_ns = 4.0;  ///< vector instructions, usual

bool is_shared(double work) {
    static const runtime::WorthSharing worth = runtime::worth_sharing(runtime::calibration());
    const std::chrono::nanoseconds time(static_cast<std::int64_t>(work / instructions_per_ns));
    return time >= worth.awake && runtime::threads_ready(time, worth.asleep);
}

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

/// One entry of a kernel on all tiles. What another thread must know of it lies in few cache lines, side by side: they come
/// at once where each would have said where to find the next.
class alignas(64) Tasks {
  public:
    Tasks(emit::Entry entry, const Arguments& arguments, const Tiling& tiling, std::size_t buffers)
        : arguments_(arguments), tiling_(&tiling), entry_(entry), local_(tiling.task_bytes()) {
        if (buffers > near_.size()) return;
        std::copy_n(arguments.buffers, buffers, near_.data());
        arguments_.buffers = near_.data();
    }
    Tasks(const Tasks&) = delete;
    Tasks& operator=(const Tasks&) = delete;

    void run(int threads) {
        const std::int64_t count = tiling_->tasks();
        if (count == 1) return task(0);
        runtime::parallel_for(count, threads, [](void* tasks, std::int64_t k) { fetch(tasks).task(k); }, this);
    }

  private:
    static const Tasks& fetch(const void* tasks) {
        for (std::size_t line = 0; line < sizeof(Tasks); line += alignof(Tasks))
            __builtin_prefetch(static_cast<const char*>(tasks) + line);
        return *static_cast<const Tasks*>(tasks);
    }

    void task(std::int64_t k) const {
        Tile tile = tiling_->tile(k);
        const TaskMemory memory(local_);
        if (local_ > 0) {
            tile.local = tile.shared = memory.data();
            tile.sums = tile.shared + tiling_->shared_bytes;
        }
        if (tiling_->step == 0) return entry_(&arguments_, &tile);
        steps(tile);
    }

    /// A few indices at a time on top of what is there.
    void steps(Tile& tile) const {
        const std::int64_t end = tile.reduce_end;
        for (; tile.reduce_begin < end; tile.reduce_begin = tile.reduce_end, tile.start = Start::accumulate) {
            tile.reduce_end = std::min(end, tile.reduce_begin + tiling_->step);
            tile.last = tile.reduce_end == end;
            entry_(&arguments_, &tile);
        }
    }

    Arguments arguments_;
    const Tiling* tiling_;
    emit::Entry entry_;
    std::size_t local_;
    std::array<void*, 8> near_;
};

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
    auto run_all = [&](emit::Entry entry, const Tiling& t) {
        Tasks(entry, arguments, t, kernel.buffers.size()).run(threads);
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
