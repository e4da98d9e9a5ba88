// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loop IR to kernels for the card, as LLVM IR in which the hardware is a handful of functions (builtin_names.hpp).
///
/// Kernels have one parameter list: all buffers, all sizes, the failure record, then points, chunks, the chunks' length, and
/// of a chunked loop for each value an array of partial results, then one of what comes before each chunk.
#pragma once

#include "lower/kernel.hpp"

#include <llvm/IR/Module.h>

#include <cstdint>

namespace sinter::gpu {

/// How a kernel's points and the loops of its body are given to threads.
enum class Form : std::uint8_t {
    points,  ///< a thread a point; loops are sequential
    tiles,   ///< the same, the threads of a block a square of the innermost two axes: for loads against the grain
    warps,   ///< a warp a point: its threads share the loops of the body
    blocks,  ///< a block a point, likewise
    chunks,  ///< the body's only loop is cut into chunks, a block a chunk of a point
    host,    ///< not on the card
};
inline constexpr int form_count = 6;

/// The kernels of a form. Those of chunks run one after another.
enum class Role : std::uint8_t {
    whole,    ///< points, warps, blocks
    partial,  ///< chunks: a chunk's result
    chain,    ///< chunks of a scan or compact: what comes before each chunk
    show,     ///< chunks of a scan or compact: its prefixes, its kept elements
    finish,   ///< chunks: results combined, and what follows the loop
};
const char* name_of(Role role);

inline constexpr std::int64_t tile_edge = 16;  ///< of the square that a block executes

/// Of what the length of chunks is a multiple.
inline constexpr std::int64_t chunk_multiple = 1024;

struct Schedule {
    Form form = Form::points;
    const lower::Inst* chunked = nullptr;  ///< of form chunks: the loop
};

/// The roles of a schedule, in the order of execution.
std::vector<Role> roles_of(const Schedule& schedule);
/// Values of a chunked loop that go from chunk to chunk: its results.
const std::vector<lower::Scalar>& states_of(const lower::Inst& chunked);

/// Adds the kernels, named by role. Returns how much memory a block needs.
std::size_t emit_kernels(llvm::Module& module, const lower::Kernel& kernel, const Schedule& schedule);

}  // namespace sinter::gpu
