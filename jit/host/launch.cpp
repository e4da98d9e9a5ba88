// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/launch.hpp"

#include "jit/host/chain.hpp"
#include "jit/host/task_memory.hpp"
#include "run/threads/thread_costs.hpp"
#include "run/threads/threads.hpp"
#include "run/tuning.hpp"
#include "support/buffer.hpp"
#include "support/stack_array.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace sinter::host {

using emit::Arguments;
using emit::Start;
using emit::Tile;

namespace {

bool is_shared(double work, runtime::ThreadUse use) {
    static const runtime::WorthSharing worth = runtime::worth_sharing(runtime::calibration());
    if (use == runtime::ThreadUse::none) return false;
    const std::chrono::nanoseconds time(static_cast<std::int64_t>(work / schedule::tuning::instructions_per_ns));
    const int length = use == runtime::ThreadUse::long_ones ? runtime::tuning::length_of_long_ones : 1;
    return time >= length * worth.awake && runtime::threads_ready(time, worth.asleep);
}

void report(runtime::ErrorSlot* slot, std::uint32_t check, std::int64_t first, std::int64_t stride, std::int64_t count,
            std::int64_t extent) {
    for (; count > 1 && first >= 0 && first < extent; --count) first += stride;
    std::uint32_t none = 0;
    if (!slot->check.compare_exchange_strong(none, check + 1)) return;
    slot->index = first;
    slot->extent = extent;
}

void print(runtime::ErrorSlot* slot, const void* kernel, std::uint32_t check, std::int64_t element,
           const std::uint64_t* values, std::int64_t count) {
    const lower::Check& what = static_cast<const lower::Kernel*>(kernel)->checks[check];
    try {
        slot->debug.add({what.text, element, what.types, {values, values + count}});
    } catch (const std::bad_alloc&) {  // generated code lets no exception through: the line is lost
    }
}

/// Memory for partial results: on the stack if it is small.
class PartialMemory {
  public:
    PartialMemory(const schedule::Tasks& tasks, const std::vector<std::size_t>& bytes) : arrays_(bytes.size()) {
        std::size_t total = 0;
        auto size = [&](std::size_t k) {
            return (static_cast<std::size_t>(tasks.chunks * tasks.points) * bytes[k] + 63) / 64 * 64;
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
    StackArray<void*, 4> arrays_;
};

/// Executes one entry of a kernel for all tiles. What another thread has to know about it is in three adjacent cache lines,
/// which are fetched together; otherwise each would only say where to find the next. There are few because the caller writes
/// them anew for each launch, and because they have to leave its cache before the offer to the others can. What a binding
/// keeps from launch to launch stays where it is: the others have had it in their caches since the first one.
class alignas(64) TaskLoop {
  public:
    TaskLoop(emit::Entry entry, const Arguments& arguments, const TaskPart& part, const lower::Kernel& kernel,
             const RunControl* control)
        : arguments_(arguments),
          tasks_(part.tasks),
          offsets_(part.offsets.moves_nothing() ? nullptr : &part.offsets),
          entry_(entry),
          local_(part.tasks.task_bytes()),
          control_(control) {
        const std::size_t buffers = kernel.buffers.size();
        if (buffers > near_buffers_.size()) return;
        std::copy_n(arguments.buffers, buffers, near_buffers_.data());
        arguments_.buffers = near_buffers_.data();
    }
    TaskLoop(const TaskLoop&) = delete;
    TaskLoop& operator=(const TaskLoop&) = delete;

    void run(int threads) {
        const std::int64_t count = tasks_.count();
        if (count == 1) return task(0);
        runtime::parallel_for(count, threads, [](void* loop, std::int64_t k) { fetch(loop).task(k); }, this);
    }

  private:
    static const TaskLoop& fetch(const void* at) {
        for (std::size_t line = 0; line < sizeof(TaskLoop); line += alignof(TaskLoop))
            __builtin_prefetch(static_cast<const char*>(at) + line);
        const auto& loop = *static_cast<const TaskLoop*>(at);
        __builtin_prefetch(loop.arguments_.sizes);
        return loop;
    }

    /// If the run stops, the remaining tasks do nothing.
    void task(std::int64_t k) const {
        if (control_ && control_->stops()) return;
        Tile tile = tile_of(tasks_, k);
        if (offsets_) shift(tile, *offsets_);
        const TaskMemory memory(local_);
        if (local_ > 0) {
            tile.local = tile.shared = memory.data();
            tile.sums = tile.shared + tasks_.shared_bytes;
        }
        if (tasks_.step == 0) return entry_(&arguments_, &tile);
        steps(tile);
    }

    void shift(Tile& tile, const TaskOffsets& by) const {
        tile.row_begin += by.row, tile.row_end += by.row;
        tile.begin += by.column, tile.end += by.column;
        if (by.one_of_chunks) tile.start = by.start;
        if (by.chunk == 0) return;
        tile.chunk += by.chunk;
        tile.reduce_begin = tile.chunk * tasks_.chunk_length;
        tile.reduce_end = std::min(tasks_.reduce, tile.reduce_begin + tasks_.chunk_length);
    }

    /// Accumulates a few indices at a time.
    void steps(Tile& tile) const {
        const std::int64_t end = tile.reduce_end;
        for (; tile.reduce_begin < end; tile.reduce_begin = tile.reduce_end, tile.start = Start::accumulate) {
            tile.reduce_end = std::min(end, tile.reduce_begin + tasks_.step);
            tile.last = tile.reduce_end == end;
            entry_(&arguments_, &tile);
        }
    }

    Arguments arguments_;
    const schedule::Tasks& tasks_;
    const TaskOffsets* const offsets_;  ///< null if this is the whole launch
    const emit::Entry entry_;
    const std::size_t local_;
    const RunControl* const control_;
    std::array<void*, 8> near_buffers_;
};

}  // namespace

emit::Tile tile_of(const schedule::Tasks& t, std::int64_t k) {
    std::int64_t chunk = 0, column = 0, row = 0;
    if (k > 0) {
        const std::int64_t rest = k / t.chunks, columns = t.inner_tasks();
        chunk = k % t.chunks, column = rest % columns, row = rest / columns;
    }
    Tile tile;
    tile.row_begin = row * t.rows_per_task;
    tile.row_end = std::min(t.row_count, tile.row_begin + t.rows_per_task);
    tile.begin = column * t.inner_per_task;
    tile.end = t.inner - tile.begin - t.inner_per_task < t.inner_least ? t.inner : tile.begin + t.inner_per_task;
    tile.chunk = chunk;
    tile.reduce_begin = chunk * t.chunk_length;
    tile.reduce_end = std::min(t.reduce, tile.reduce_begin + t.chunk_length);
    tile.start = t.partial() ? Start::fresh : Start::init;
    tile.local = tile.shared = tile.sums = nullptr;
    tile.last = 1;
    return tile;
}

Arguments arguments_of(const runtime::Launch& launch, const schedule::Tasks& tasks, const lower::Kernel& kernel) {
    return {launch.buffers, launch.sizes, launch.error, report, nullptr, tasks.points, tasks.chunks, -1, print, &kernel};
}

namespace {

int threads_of(const schedule::Tasks& tasks, const runtime::Launch& launch) {
    return tasks.threads > 1 && is_shared(tasks.work, launch.thread_use) ? tasks.threads : 1;
}

Arguments with_partials(const runtime::Launch& launch, const schedule::Tasks& tasks, const lower::Kernel& kernel,
                        void* const* partials) {
    Arguments arguments = arguments_of(launch, tasks, kernel);
    arguments.ordinary_stores = tasks.bypass ? 0 : -1;
    arguments.partials = partials;
    return arguments;
}

void execute_chunks(const WayCode& way_code, const KernelCode& kernel, const schedule::Tasks& whole, const TaskPart& part,
                    void* const* partials, const runtime::Launch& launch, int threads) {
    const WayCode::Working working(way_code, part.tasks.work);
    TaskPart chunks = part;
    chunks.offsets.one_of_chunks = whole.partial() && &part.tasks != &whole;
    const Arguments arguments = with_partials(launch, whole, kernel.kernel(), partials);
    TaskLoop(way_code.kernel(), arguments, chunks, kernel.kernel(), launch.control).run(threads);
}

void combine_chunks(const WayCode& way_code, const KernelCode& kernel, const schedule::Tasks& whole, const TaskPart& part,
                    void* const* partials, const runtime::Launch& launch, int threads) {
    schedule::Tasks combine = part.tasks;
    combine.chunks = 1;
    combine.step = 0;
    const Arguments arguments = with_partials(launch, whole, kernel.kernel(), partials);
    TaskLoop(way_code.finish(), arguments, {combine, part.offsets}, kernel.kernel(), launch.control).run(threads);
}

}  // namespace

bool launch_chunks(const WayCode& way_code, const KernelCode& kernel, const schedule::Tasks& whole, const TaskPart& part,
                   void* const* partials, const runtime::Launch& launch) {
    const int threads = threads_of(part.tasks, launch);
    execute_chunks(way_code, kernel, whole, part, partials, launch, threads);
    return threads > 1;
}

void chain_chunks(const WayCode& way_code, const KernelCode& kernel, const schedule::Tasks& whole, void* const* partials,
                  const runtime::Launch& launch) {
    const Arguments arguments = with_partials(launch, whole, kernel.kernel(), partials);
    Tile tile{};
    tile.row_end = whole.points;
    tile.start = Start::fresh;
    for (tile.chunk = 0; tile.chunk < whole.chunks; ++tile.chunk) way_code.chain()(&arguments, &tile);
}

std::int64_t keep_chunks(const WayCode& way_code, const KernelCode& kernel, const schedule::Tasks& whole,
                         const schedule::Tasks& part, schedule::Interval chunks, const runtime::Launch& launch) {
    const Arguments arguments = with_partials(launch, whole, kernel.kernel(), nullptr);
    return keep_chained(way_code, whole, kernel.facts(), kernel.kernel(), arguments, chunks, threads_of(part, launch),
                        launch.control);
}

void finish_chunks(const WayCode& way_code, const KernelCode& kernel, const schedule::Tasks& whole, const TaskPart& part,
                   void* const* partials, const runtime::Launch& launch) {
    combine_chunks(way_code, kernel, whole, part, partials, launch, threads_of(part.tasks, launch));
}

/// Asks for threads once: sleeping ones are woken for what launches have asked for together.
bool launch_part(const WayCode& way_code, const KernelCode& kernel, const schedule::Tasks& whole, const TaskPart& part,
                 const runtime::Launch& launch) {
    if (!whole.partial()) return launch_chunks(way_code, kernel, whole, part, nullptr, launch);
    const PartialMemory memory(whole, kernel.facts().state_bytes);
    const int threads = threads_of(part.tasks, launch);
    execute_chunks(way_code, kernel, whole, part, memory.arrays(), launch, threads);
    if (launch.error->check.load() == 0 && !(launch.control && launch.control->stopped()))
        combine_chunks(way_code, kernel, whole, part, memory.arrays(), launch, threads);
    return threads > 1;
}

void launch_scan(const WayCode& way_code, const KernelCode& kernel, const schedule::Tasks& tasks, void* const* const* own,
                 const runtime::Launch& launch) {
    const Arguments arguments = with_partials(launch, tasks, kernel.kernel(), nullptr);
    launch_chained(way_code, tasks, kernel.facts(), kernel.kernel(), arguments, threads_of(tasks, launch), launch.control,
                   own);
}

bool launch_kernel(const WayCode& way_code, const KernelCode& kernel, const schedule::Tasks& tasks,
                   const runtime::Launch& launch) {
    if (tasks.points <= 0) return false;
    const schedule::Facts& facts = kernel.facts();
    if (!tasks.partial() || facts.chunked->op == ir::Op::reduce)
        return launch_part(way_code, kernel, tasks, {tasks, {}}, launch);
    const int threads = threads_of(tasks, launch);
    const Arguments arguments = with_partials(launch, tasks, kernel.kernel(), nullptr);
    launch_chained(way_code, tasks, facts, kernel.kernel(), arguments, threads, launch.control);
    return threads > 1;
}

}  // namespace sinter::host
