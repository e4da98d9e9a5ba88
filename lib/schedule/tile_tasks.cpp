// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What rows share for a part of the reduced range stays in the nearest cache while all rows of a task go over it. What those
// rows load for themselves stays in the second-level cache while the task's columns go over it. Where the elements of a
// batch lie between each other, what the whole batch loads for a part stays there while one after another goes over it.
// Results depend on none of these.
#include "schedule/tile_tasks.hpp"

#include "schedule/interleaved.hpp"
#include "schedule/tuning.hpp"
#include "support/arithmetic.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace sinter::schedule {

namespace {

/// The length of a part if n is cut into equal parts of about `length`, rounded to a multiple of `unit`.
std::int64_t part(std::int64_t n, std::int64_t length, std::int64_t unit) {
    const std::int64_t parts = std::max<std::int64_t>(1, (n + length / 2) / length);
    return std::max(unit, ceil_div(ceil_div(n, parts), unit) * unit);
}

/// The number of elements of the axes from `first` on.
std::int64_t elements(const Facts::Loop& loop, std::size_t first, const std::int64_t* sizes) {
    std::int64_t n = 1;
    for (std::size_t k = first; k < loop.extents->size(); ++k) n *= (*loop.extents)[k].of(sizes);
    return n;
}

/// The loops that go through tiles.
std::span<const Facts::Loop> loops_of(const Facts& facts) {
    return facts.ordered ? std::span(&facts.ordered->loop, 1) : std::span(facts.loops);
}

/// True if tiles may go through a part of the reduced range at a time.
bool in_parts(const Facts& facts) { return facts.ordered || facts.chunked; }

/// The bytes shared by rows for one index of the reduce.
std::int64_t index_bytes(const Facts& facts, const RegisterTile& tile, const std::int64_t* sizes) {
    return tile.record(tile.loops[0]) * elements(loops_of(facts)[0], 1, sizes);
}

/// The bytes shared by rows for all indices of all loops.
std::int64_t all_bytes(const Facts& facts, const RegisterTile& tile, const std::int64_t* sizes) {
    std::int64_t bytes = 0;
    std::size_t next = 0;
    for (const Facts::Loop& loop : loops_of(facts))
        if (next < tile.loops.size() && loop.inst == tile.loops[next].reduce)
            bytes += elements(loop, 0, sizes) * tile.record(tile.loops[next++]);
    return bytes;
}

/// The number of indices in a part of the reduced range; all of them, if that is best.
std::int64_t indices_of_part(const lower::Kernel& kernel, const Facts& facts, const RegisterTile& tile,
                             const std::int64_t* sizes, std::int64_t reduce) {
    if (!in_parts(facts)) return reduce;
    const std::int64_t kept = std::max<std::int64_t>(1, index_bytes(facts, tile, sizes));
    const std::int64_t between = interleaved(kernel, *tile.loops[0].inst, tile.row_axis, sizes).bytes;
    std::int64_t most = reduce;
    if (all_bytes(facts, tile, sizes) > tuning::nearest_cache_bytes) most = tuning::nearest_cache_bytes / kept;
    if (between > 0) most = std::min(most, tuning::batch_part_bytes / between);
    if (most >= reduce) return reduce;
    return std::min(reduce, part(reduce, std::max(tuning::least_part, most), tuning::part_unit));
}

bool fits(const Facts& facts, const RegisterTile& tile, const std::int64_t* sizes) {
    for (const Facts::Loop& loop : loops_of(facts))
        if (!loop.extents) return false;
    const std::int64_t least =
        in_parts(facts) ? tuning::least_part * index_bytes(facts, tile, sizes) : all_bytes(facts, tile, sizes);
    return least <= tuning::second_cache_share_bytes;
}

}  // namespace

double price_of_tile_row(const lower::Kernel& kernel, const Candidates& candidates, const RegisterTile& tile,
                         const std::int64_t* sizes) {
    if (!fits(candidates.facts, tile, sizes)) return std::numeric_limits<double>::infinity();
    const std::int64_t rows = std::max<std::int64_t>(1, sizes[kernel.space[tile.row_axis].index]);
    const std::int64_t n = sizes[kernel.space.back().index];
    const double gathering = candidates.facts.points.gathers > 0 ? tuning::kept_access * tile.width : 0;
    const double packing = tuning::keeping + tuning::kept_access * tile.of_columns + gathering;
    const double wasted = static_cast<double>(ceil_div(rows, tile.rows) * tile.rows) / static_cast<double>(rows);
    const double element = (tile.arithmetic + 1) * wasted + packing / static_cast<double>(rows) +
                           tuning::kept_access * tile.of_rows / static_cast<double>(std::max<std::int64_t>(1, n));
    const double scalar = tuning::scalar_instruction * (tile.of_scalars + tile.of_index / tile.rows) / tile.columns;
    double cost = tuning::entering_tile;
    for (const Facts::Loop& loop : loops_of(candidates.facts))
        cost += static_cast<double>(ceil_div(n, tile.width * tile.columns) * tile.columns * elements(loop, 0, sizes)) *
                (element * candidates.instruction_time + scalar * wasted);
    return cost;
}

void cut_tiles(Tasks& t, const lower::Kernel& kernel, const Candidates& candidates, const RegisterTile& tile,
               const std::int64_t* sizes, int threads) {
    const Facts& facts = candidates.facts;
    t.tiled = true;
    t.chunk_length = t.reduce;
    const std::int64_t length = indices_of_part(kernel, facts, tile, sizes, t.reduce);
    std::int64_t kept = all_bytes(facts, tile, sizes);
    if (length < t.reduce) {
        t.step = length;
        kept = index_bytes(facts, tile, sizes) * length;
    }
    const std::int64_t width = tile.width * tile.columns;
    t.rows_per_task = std::min(t.row_count, part(t.row_count, tuning::task_rows, tile.rows));
    t.inner_per_task = std::min(t.inner, part(t.inner, tuning::task_columns, width));
    const std::int64_t enough = tuning::tasks_per_thread * threads;
    while (t.count() < enough && t.inner_per_task > 2 * width) t.inner_per_task = part(t.inner, t.inner_per_task / 2, width);
    while (t.count() < enough && t.rows_per_task > tuning::least_task_rows)
        t.rows_per_task = part(t.row_count, t.rows_per_task / 2, tile.rows);
    for (const TileLoop& loop : tile.loops)
        for (const TileLoop::Kept& row : loop.of_rows)
            kept += t.rows_per_task * row_stride(t.step > 0 ? t.step : t.reduce, row.type);
    t.shared_bytes = ceil_div(kept, local_alignment) * local_alignment;
    if (t.step > 0)
        t.sums_bytes =
            ceil_div(t.inner_per_task, width) * t.rows_per_task * tile.vectors(loops_of(facts)[0].inst->types.size());
    t.work = price_of_tile_row(kernel, candidates, tile, sizes) * static_cast<double>(t.row_count);
}

}  // namespace sinter::schedule
