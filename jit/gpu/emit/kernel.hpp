// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loop IR to kernels for the card, as LLVM IR in which the hardware is a handful of functions (builtin_names.hpp).
///
/// Kernels have one parameter list: all buffers, all sizes, the failure record, the guard, then points, chunks, the chunks'
/// length, and the arrays through which the chunks of a loop know of each other (state_arrays).
///
/// The guard is null or points at a byte; if that is 0, no thread does anything.
#pragma once

#include "jit/gpu/emit/update.hpp"
#include "lower/kernel.hpp"

#include <llvm/IR/Module.h>

#include <cstdint>
#include <vector>

namespace sinter::gpu {

/// How a kernel's points and the loops of its body are given to threads.
enum class Form : std::uint8_t {
    points,  ///< a thread a point; loops are sequential
    tiles,   ///< the same, the threads of a block a square of the innermost two axes: for loads against the grain
    warps,   ///< a warp a point: its threads share the loops of the body
    blocks,  ///< a block a point, likewise
    chunks,  ///< the body's only loop is cut into chunks, a block a chunk of a point
    counts,  ///< a thread a point; a block updates copies, in any order
    bins,    ///< the points are cut into chunks, a block a chunk, which updates copies in order
    sorted,  ///< the points' updates are noted, sorted by destination, and applied, a thread a destination
    host,    ///< not on the card
};
inline constexpr int form_count = 9;

/// The kernels of a form. Those of chunks run one after another.
enum class Role : std::uint8_t {
    whole,    ///< points, warps, blocks
    partial,  ///< chunks of a reduce: a chunk's result
    finish,   ///< chunks of a reduce: results combined, and what follows the loop
    update,   ///< bins: a chunk's updates
    merge,    ///< bins: those of all chunks, a warp a destination
    note,     ///< sorted: the points, and what they would update
    apply,    ///< sorted: the updates
    scan,     ///< chunks of a scan or compact, which learn from each other what comes before them
};
const char* name_of(Role role);

inline constexpr std::int64_t tile_edge = 16;  ///< of the square that a block executes

/// Of what the length of chunks is a multiple.
inline constexpr std::int64_t chunk_multiple = 1024;

struct Schedule {
    Form form = Form::points;
    const lower::Inst* chunked = nullptr;  ///< of form chunks: the loop
    const Captured* captured = nullptr;    ///< of forms counts, bins and sorted: the update
};

/// The roles of a schedule, in the order of execution.
std::vector<Role> roles_of(const Schedule& schedule);
/// Values of a chunked loop that go from chunk to chunk: its results.
const std::vector<lower::Scalar>& states_of(const lower::Inst& chunked);

/// An array through which blocks know of each other.
struct StateArray {
    std::int64_t element_bytes;
    std::int64_t elements;
    bool cleared = false;  ///< all bytes are 0 when the first kernel begins
};
std::vector<StateArray> state_arrays(const lower::Inst& chunked, std::int64_t points, std::int64_t chunks);
/// Of any form. `bins`: destinations of the captured update.
std::vector<StateArray> state_arrays(const Schedule& schedule, std::int64_t points, std::int64_t chunks, std::int64_t bins);

/// Adds the kernels, named by role. Returns how much memory a block needs.
std::size_t emit_kernels(llvm::Module& module, const lower::Kernel& kernel, const Schedule& schedule);

}  // namespace sinter::gpu
