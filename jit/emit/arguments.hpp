// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The blocks of memory through which the host calls generated code. Generated code knows their layout by offsetof.
#pragma once

#include "run/backend.hpp"

#include <cstddef>
#include <cstdint>

namespace sinter::emit {

/// Called when a check failed: takes the slot, if it is free, for the first of the indices first, first + stride, .. (count
/// of them) that is not in [0, extent).
using Report = void (*)(runtime::ErrorSlot* slot, std::uint32_t check, std::int64_t first, std::int64_t stride,
                        std::int64_t count, std::int64_t extent);

/// Called for a print: `count` values, whose types the check knows.
using Print = void (*)(runtime::ErrorSlot* slot, const void* kernel, std::uint32_t check, std::int64_t element,
                       const std::uint64_t* values, std::int64_t count);

/// What all tiles of a launch share.
struct Arguments {
    void* const* buffers;
    const std::int64_t* sizes;
    runtime::ErrorSlot* error;
    Report report;
    void* const* partials;         ///< one array a reduced value: [chunk][point]; of a scan then as many, one chunk longer
    std::int64_t points;           ///< of the whole space
    std::int64_t chunks;           ///< of a chunked loop
    std::int64_t ordinary_stores;  ///< 0: outputs are too large for the caches, aligned stores bypass them; else -1
    Print print;
    const void* kernel;  ///< lower::Kernel: what prints give to print
};

/// Where a reduce of a tile starts from.
enum class Start : std::int64_t {
    init,        ///< from the initial values: the tile completes its points
    fresh,       ///< from its first element: the tile makes a partial result (of a scan: only its total)
    accumulate,  ///< from the partial result that is there (of a scan: from what comes before; its total is made as well)
};

/// A part of the iteration space. Lanes on points: rows are all parallel axes but the innermost, [begin, end) is of the
/// innermost. Points one by one: rows are the points. The reduce range is of the chunked reduce's outermost axis.
/// No range is empty but the reduce's.
struct Tile {
    std::int64_t row_begin, row_end;
    std::int64_t begin, end;
    std::int64_t reduce_begin, reduce_end;
    std::int64_t chunk;
    Start start;
    char* local;        ///< memory for the kernel's local buffers, each from a multiple of schedule::local_alignment bytes
    char* shared;       ///< register tiles: for what rows share of the reduce range, and behind it
    char* sums;         ///< for accumulators, of all points of the tile, between parts of the reduce range
    std::int64_t last;  ///< whether the reduce range is the last
};

/// The functions of a compiled kernel.
using Entry = void (*)(const Arguments*, const Tile*);

/// Their names.
inline constexpr const char* kernel_name = "kernel";
inline constexpr const char* finish_name = "finish";
inline constexpr const char* chain_name = "chain";

}  // namespace sinter::emit
