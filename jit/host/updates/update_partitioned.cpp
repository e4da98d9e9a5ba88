// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/notes.hpp"
#include "jit/host/updates/update_launch.hpp"
#include "run/threads/threads.hpp"
#include "support/stack_array.hpp"

#include <algorithm>
#include <atomic>

namespace sinter::host {

using emit::Arguments;
using emit::Tile;

namespace {

using namespace schedule::tuning;

Buckets choose_buckets(std::int64_t elements, std::size_t bytes) {
    int shift = 0;
    while ((bytes << shift) < bucket_bytes) ++shift;
    auto count = [&] { return (static_cast<std::size_t>(elements) + (std::size_t{1} << shift) - 1) >> shift; };
    while (count() > most_buckets) ++shift;
    return {count(), shift};
}

/// The first element of the notes is that of the tile's first point, in row-major order. Tiles are runs of points.
void note_updates(const UpdateLaunch& launch, emit::Entry noted, const Tile& tile, const Notes& notes) {
    const auto first = static_cast<std::size_t>(tile.row_begin * launch.tasks.inner + tile.begin);
    const std::size_t arrays = launch.kernels.noted.buffers.size() - 1;
    StackArray<void*, 16> buffers(arrays + 1);
    std::copy_n(launch.launch.buffers, arrays, buffers.data());
    auto before = [&](void* start, std::size_t bytes) { return static_cast<char*>(start) - first * bytes; };
    for (std::size_t v = 0; v < launch.values(); ++v)
        buffers[launch.kernels.first + v] = before(notes.values(v), launch.bytes(v));
    buffers[arrays] = before(notes.offsets(), sizeof(std::uint32_t));
    Arguments arguments = arguments_of(launch.launch, launch.tasks, launch.kernels.noted);
    arguments.buffers = buffers.data();
    noted(&arguments, &tile);
}

/// Applies notes [begin, end) to `arrays`, one per value, from element `offset` on.
void apply_notes(const UpdateLaunch& launch, emit::Entry applied, const Notes& notes, std::size_t begin, std::size_t end,
                 std::span<void* const> arrays, std::size_t offset) {
    const std::size_t values = launch.values();
    StackArray<void*, 16> buffers(1 + 2 * values);
    auto behind = [](void* start, std::size_t bytes) { return static_cast<char*>(start) + bytes; };
    buffers[0] = notes.offsets() + begin;
    for (std::size_t v = 0; v < values; ++v) buffers[1 + v] = behind(notes.values(v), begin * launch.bytes(v));
    for (std::size_t v = 0; v < values; ++v) buffers[1 + values + v] = behind(arrays[v], offset * launch.bytes(v));
    const auto count = static_cast<std::int64_t>(end - begin);
    Arguments arguments = arguments_of(launch.launch, launch.tasks, launch.kernels.noted);
    arguments.buffers = buffers.data();
    arguments.sizes = &count;
    Tile tile{};
    tile.row_end = 1;
    tile.end = count;
    applied(&arguments, &tile);
}

class Partitioned {
  public:
    explicit Partitioned(const UpdateLaunch& launch) : l_(launch), tasks_(launch.tasks.count()) {
        std::size_t bytes = 0, room = static_cast<std::size_t>(l_.tasks.rows_per_task * l_.tasks.inner_per_task);
        for (std::size_t v = 0; v < l_.values(); ++v) bytes = std::max(bytes, l_.bytes(v));
        for (std::size_t v = 0; v < l_.values(); ++v) arrays_.push_back(l_.updated(v));
        buckets_ = choose_buckets(l_.elements, bytes);
        for (std::int64_t k = 0; k < std::min(tasks_, wave_tasks); ++k)
            grouped_.emplace_back(buckets_.room(room), l_.kernels.types);
        begins_.resize(grouped_.size() * (buckets_.count + 1));
        for (int k = 0; k < std::max(1, l_.launch.threads); ++k) scratch_.emplace_back(room, buckets_, l_.kernels.types);
    }

    void run(emit::Entry noted, emit::Entry applied) {
        const int threads = static_cast<int>(scratch_.size());
        for (std::int64_t first = 0; first < tasks_ && !l_.failed() && !l_.stops(); first += wave_tasks) {
            const std::int64_t wave = std::min(wave_tasks, tasks_ - first);
            std::atomic<std::int64_t> next{0};
            runtime::parallel_for(threads, threads, [&](std::int64_t worker) {
                for (std::int64_t k; (k = next.fetch_add(1)) < wave && !l_.stops();)
                    note(noted, first + k, static_cast<std::size_t>(k), scratch_[static_cast<std::size_t>(worker)]);
            });
            if (l_.failed()) return;
            runtime::parallel_for(static_cast<std::int64_t>(buckets_.count), threads, [&](std::int64_t bucket) {
                if (l_.stops()) return;
                for (std::int64_t k = 0; k < wave; ++k)
                    apply(applied, static_cast<std::size_t>(k), static_cast<std::size_t>(bucket));
            });
        }
    }

  private:
    std::uint32_t* begins(std::size_t slot) { return begins_.data() + slot * (buckets_.count + 1); }

    /// The updates of a task, grouped.
    void note(emit::Entry noted, std::int64_t task, std::size_t slot, GroupScratch& scratch) {
        const Tile tile = tile_of(l_.tasks, task);
        const std::int64_t count = (tile.row_end - tile.row_begin) * (tile.end - tile.begin);
        note_updates(l_, noted, tile, scratch.notes);
        if (!l_.failed())
            group(scratch, static_cast<std::size_t>(count), buckets_, l_.kernels.types, grouped_[slot], begins(slot));
    }

    /// What one task of the wave has noted for a bucket.
    struct Run {
        std::size_t begin, end;
    };
    Run run_of(std::size_t slot, std::size_t bucket) {
        return {begins(slot)[bucket], begins(slot)[bucket + 1] - Buckets::gap};
    }

    void apply(emit::Entry applied, std::size_t slot, std::size_t bucket) {
        const Run run = run_of(slot, bucket);
        if (slot + 1 < grouped_.size()) prefetch(slot + 1, run_of(slot + 1, bucket));
        if (run.begin == run.end) return;
        apply_notes(l_, applied, grouped_[slot], run.begin, run.end, arrays_, bucket << buckets_.shift);
    }

    /// Runs are too short for the processor to notice that they are read in order.
    void prefetch(std::size_t slot, const Run& run) const {
        constexpr std::size_t most = prefetched_lines * cache_line;
        auto range = [&](const void* start, std::size_t bytes) {
            const char* first = static_cast<const char*>(start) + run.begin * bytes;
            const std::size_t end = std::min(most, (run.end - run.begin) * bytes);
            for (std::size_t at = 0; at < end; at += cache_line) __builtin_prefetch(first + at);
        };
        range(grouped_[slot].offsets(), sizeof(std::uint32_t));
        for (std::size_t v = 0; v < l_.values(); ++v) range(grouped_[slot].values(v), l_.bytes(v));
    }

    const UpdateLaunch& l_;
    const std::int64_t tasks_;
    std::vector<void*> arrays_;  ///< the arrays that are updated
    Buckets buckets_{};
    std::vector<Notes> grouped_;         ///< by task of a wave
    std::vector<std::uint32_t> begins_;  ///< for each task of a wave: by bucket, and the end
    std::vector<GroupScratch> scratch_;  ///< by thread
};

}  // namespace

void update_partitioned(const UpdateLaunch& launch, emit::Entry noted, emit::Entry applied) {
    Partitioned(launch).run(noted, applied);
}

}  // namespace sinter::host
