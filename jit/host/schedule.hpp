// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a kernel is executed on this call's extents: which loops get lanes, and the tiles threads take.
#pragma once

#include "jit/emit/arguments.hpp"
#include "jit/emit/mode.hpp"
#include "jit/emit/pattern.hpp"
#include "jit/emit/register_tile.hpp"
#include "jit/emit/row_blocks.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::host {

/// What can be said of a kernel before its extents are known.
struct Traits {
    struct Extent {
        bool constant;
        std::int64_t value;  ///< the number, or a position in the size table
        std::int64_t of(const std::int64_t* sizes) const { return constant ? value : sizes[value]; }
    };
    /// A vector of lanes: how many, and vector instructions of 256 bits it takes.
    struct Cost {
        double lanes = 1;
        double instructions = 0;
        double once = 0;  ///< of these: outside of inner loops
    };
    emit::Profile points;                           ///< of a point, lanes on the innermost parallel axis
    Cost point_cost;                                ///< of points
    std::vector<const lower::Inst*> loop_insts;     ///< the body's loops
    std::vector<Cost> loops;                        ///< of their elements, lanes on their innermost axes
    std::vector<std::vector<Extent>> loop_extents;  ///< of the same loops; empty where an extent is computed
    const lower::Inst* chunked = nullptr;  ///< the body's only loop, a reduce, scan or compact of extents known at launch
    std::vector<std::size_t> state_bytes;  ///< of its values
    bool in_order = false;                 ///< points must be executed one after another
    std::optional<emit::RegisterTile> tile;
    double tile_time = 1;  ///< of a vector instruction of its, in those of 256 bits
    std::optional<emit::RowBlocks> rows;
    bool squares = false;  ///< several rows of points go together (emit/squares.hpp)
};
/// What tiles may execute in parts in this mode: scans and compacts only where their own axis has lanes.
const lower::Inst* chunked_in(const Traits& traits, emit::Mode mode);

Traits traits_of(const lower::Kernel& kernel, const emit::Machine& machine);

/// Vector instructions of a launch with lanes on the innermost axis. The kernel has no loops.
double cost_of_points(const lower::Kernel& kernel, const Traits& traits, const std::int64_t* sizes);

/// The mode that needs fewer vector instructions. Depends on extents alone.
emit::Mode choose_mode(const lower::Kernel& kernel, const Traits& traits, const std::int64_t* sizes);

/// A launch cut into tasks. Chunks of the reduce, and so all results, depend on extents alone; `threads` may decide where
/// results do not depend on the cut.
struct Tiling {
    std::int64_t points = 1;     ///< of the whole space
    std::int64_t row_count = 1;  ///< rows of tiles: all axes but the innermost, or points
    std::int64_t inner = 1;      ///< extent of the innermost axis with lanes on it
    std::int64_t reduce = 0;     ///< extent of the chunked axis
    std::int64_t chunks = 1;     ///< of that axis; partial results are combined if more than one, or `stepwise`
    std::int64_t chunk_length = 0;
    std::int64_t step = 0;                          ///< a chunk is accumulated this many indices at a time; 0: at once
    bool tiled = false;                             ///< register tiles
    std::int64_t shared_bytes = 0, sums_bytes = 0;  ///< memory of a task of these
    std::int64_t local_bytes = 0;                   ///< memory of a task for the kernel's local buffers
    bool bypass = false;                            ///< outputs are too large for the caches
    std::int64_t rows_per_task = 1, inner_per_task = 1, inner_least = 1;  ///< no task has fewer of the inner axis
    double work = 0;                                                      ///< of the whole launch, in vector instructions

    bool partial() const { return chunks > 1 || (step > 0 && !tiled); }
    std::size_t task_bytes() const { return static_cast<std::size_t>(local_bytes + shared_bytes + sums_bytes); }
    std::int64_t row_tasks() const { return (row_count + rows_per_task - 1) / rows_per_task; }
    std::int64_t inner_tasks() const { return (inner + inner_per_task - inner_least) / inner_per_task; }
    std::int64_t tasks() const { return row_tasks() * inner_tasks() * chunks; }
    /// Whether a launch is no more than one call of the kernel.
    bool is_call() const { return points > 0 && tasks() == 1 && !partial() && step == 0 && task_bytes() == 0 && !bypass; }
    /// Task k, its reduce range being the whole chunk.
    emit::Tile tile(std::int64_t k) const;
};
Tiling tile_launch(const lower::Kernel& kernel, const Traits& traits, emit::Mode mode, const std::int64_t* sizes,
                   int threads);

}  // namespace sinter::host
