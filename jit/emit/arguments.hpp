// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The blocks of memory through which the host calls generated code, which knows their layout by offsetof.
#pragma once

#include "run/backend.hpp"

#include <cstddef>
#include <cstdint>

namespace sinter::emit {

/// Called when a check has failed. Takes the slot, if it is free, for the first of the `count` indices first, first +
/// stride, .. that is not in [0, extent).
using Report = void (*)(runtime::ErrorSlot* slot, std::uint32_t check, std::int64_t first, std::int64_t stride,
                        std::int64_t count, std::int64_t extent);

/// Called for a print with `count` values, whose types the check knows.
using Print = void (*)(runtime::ErrorSlot* slot, const void* kernel, std::uint32_t check, std::int64_t element,
                       const std::uint64_t* values, std::int64_t count);

/// What all tiles of a launch have in common.
struct Arguments {
    void* const* buffers;
    const std::int64_t* sizes;
    runtime::ErrorSlot* error;
    Report report;
    void* const* partials;         ///< one array per reduced value: [chunk][point]; for a scan, followed by as many arrays
                                   ///< that have one more chunk
    std::int64_t points;           ///< of the whole space
    std::int64_t chunks;           ///< of the chunked loop
    std::int64_t ordinary_stores;  ///< 0 if outputs are too large for the caches and aligned stores bypass these; else -1
    Print print;
    const void* kernel;  ///< the lower::Kernel, which is passed on to Print
};

/// The value from which a reduce of a tile starts.
enum class Start : std::int64_t {
    init,        ///< the initial values: the tile completes its points
    fresh,       ///< its first element: the tile makes a partial result (for a scan: only its total)
    accumulate,  ///< the partial result that exists (for a scan: what comes before, and the total is computed as well)
};

/// A part of the iteration space. If points have lanes, rows are all parallel axes but the innermost, and [begin, end) is a
/// range of the innermost axis. If points go one by one, rows are the points. The reduce range belongs to the outermost axis
/// of the chunked reduce. No range is empty except that of the reduce.
struct Tile {
    std::int64_t row_begin, row_end;
    std::int64_t begin, end;
    std::int64_t reduce_begin, reduce_end;
    std::int64_t chunk;
    Start start;
    char* local;        ///< memory for the kernel's local buffers, each aligned to schedule::local_alignment bytes
    char* shared;       ///< for register tiles: memory for what rows share of the reduce range, followed by what columns
                        ///< share
    char* sums;         ///< memory for accumulators of all points of the tile between parts of the reduce range
    std::int64_t last;  ///< nonzero if the reduce range is the last
};

/// The type of the functions of a compiled kernel.
using Entry = void (*)(const Arguments*, const Tile*);

/// The names of the functions.
inline constexpr const char* kernel_name = "kernel";
inline constexpr const char* finish_name = "finish";
inline constexpr const char* chain_name = "chain";

}  // namespace sinter::emit
