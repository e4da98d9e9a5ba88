// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What rows share of a part of the reduce range stays in the nearest cache while all rows of a task go over it; what those
// rows load for themselves, in the second one, while the task's columns go over it. Results do not depend on either.
#include "jit/host/tile_schedule.hpp"

#include <algorithm>
#include <limits>

namespace sinter::host {

namespace {

constexpr std::int64_t near_bytes = 16 << 10;     ///< half of a nearest cache
constexpr std::int64_t shared_limit = 256 << 10;  ///< what is more leaves the second cache
constexpr std::int64_t least_part = 16;           ///< indices, else keeping accumulators costs more than it brings
constexpr std::int64_t task_rows = 256, least_rows = 48, task_columns = 256;
constexpr std::int64_t tasks_per_thread = 4;  ///< for balance

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// n cut into equal parts of about `length`, multiples of `unit`.
std::int64_t part(std::int64_t n, std::int64_t length, std::int64_t unit) {
    const std::int64_t parts = std::max<std::int64_t>(1, (n + length / 2) / length);
    return std::max(unit, ceil_div(ceil_div(n, parts), unit) * unit);
}

std::int64_t elements(const std::vector<Traits::Extent>& extents, std::size_t first, const std::int64_t* sizes) {
    std::int64_t n = 1;
    for (std::size_t k = first; k < extents.size(); ++k) n *= extents[k].of(sizes);
    return n;
}

/// Bytes shared of one index of the chunked reduce.
std::int64_t index_bytes(const Traits& traits, const std::int64_t* sizes) {
    return traits.tile->record(traits.tile->loops[0]) * elements(traits.loop_extents[0], 1, sizes);
}

/// Bytes shared of all indices of all loops.
std::int64_t all_bytes(const Traits& traits, const std::int64_t* sizes) {
    std::int64_t bytes = 0;
    for (std::size_t k = 0, next = 0; k < traits.loop_insts.size() && next < traits.tile->loops.size(); ++k)
        if (traits.loop_insts[k] == traits.tile->loops[next].reduce)
            bytes += elements(traits.loop_extents[k], 0, sizes) * traits.tile->record(traits.tile->loops[next++]);
    return bytes;
}

bool fits(const Traits& traits, const std::int64_t* sizes) {
    for (const auto& extents : traits.loop_extents)
        if (extents.empty()) return false;
    const std::int64_t least = traits.chunked ? least_part * index_bytes(traits, sizes) : all_bytes(traits, sizes);
    return least <= shared_limit;
}

}  // namespace

double tiles_cost(const lower::Kernel& kernel, const Traits& traits, const std::int64_t* sizes) {
    if (!fits(traits, sizes)) return std::numeric_limits<double>::infinity();
    const emit::RegisterTile& tile = *traits.tile;
    const std::int64_t rows = std::max<std::int64_t>(1, sizes[kernel.space[tile.row_axis].index]);
    const std::int64_t n = sizes[kernel.space.back().index];
    const double packing = 4 + 2 * tile.of_columns + (traits.points.gathers > 0 ? 2 * tile.width : 0);
    const double wasted = static_cast<double>(ceil_div(rows, tile.rows) * tile.rows) / static_cast<double>(rows);
    const double element = (tile.arithmetic + 1) * wasted + packing / static_cast<double>(rows) +
                           2 * tile.of_rows / static_cast<double>(std::max<std::int64_t>(1, n));
    double cost = 8;
    for (const auto& extents : traits.loop_extents)
        cost += static_cast<double>(ceil_div(n, tile.width * tile.columns) * tile.columns * elements(extents, 0, sizes)) *
                element * traits.tile_time;
    return cost;
}

void cut_tiles(Tiling& t, const lower::Kernel& kernel, const Traits& traits, const std::int64_t* sizes, int threads) {
    const emit::RegisterTile& tile = *traits.tile;
    t.tiled = true;
    t.chunk_length = t.reduce;
    std::int64_t kept = all_bytes(traits, sizes);
    if (traits.chunked && kept > near_bytes) {
        const std::int64_t bytes = std::max<std::int64_t>(1, index_bytes(traits, sizes));
        const std::int64_t length = part(t.reduce, std::max(least_part, near_bytes / bytes), 8);
        if (length < t.reduce) t.step = length;
        kept = bytes * std::min(t.reduce, length);
    }
    const std::int64_t width = tile.width * tile.columns;
    t.rows_per_task = std::min(t.row_count, part(t.row_count, task_rows, tile.rows));
    t.inner_per_task = std::min(t.inner, part(t.inner, task_columns, width));
    const std::int64_t enough = tasks_per_thread * threads;
    while (t.tasks() < enough && t.inner_per_task > 2 * width) t.inner_per_task = part(t.inner, t.inner_per_task / 2, width);
    while (t.tasks() < enough && t.rows_per_task > least_rows)
        t.rows_per_task = part(t.row_count, t.rows_per_task / 2, tile.rows);
    for (const emit::TileLoop& loop : tile.loops)
        for (const emit::TileLoop::Kept& row : loop.of_rows)
            kept += t.rows_per_task * emit::row_stride(t.step > 0 ? t.step : t.reduce, row.type);
    t.shared_bytes = ceil_div(kept, emit::local_alignment) * emit::local_alignment;
    if (t.step > 0)
        t.sums_bytes = ceil_div(t.inner_per_task, width) * t.rows_per_task * tile.vectors(traits.state_bytes.size());
    t.work = tiles_cost(kernel, traits, sizes) * static_cast<double>(t.row_count);
}

}  // namespace sinter::host
