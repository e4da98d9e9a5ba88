// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Updates of elements by many threads at once.
#pragma once

#include "jit/emit/code/code.hpp"
#include "jit/gpu/emit/builtin_names.hpp"
#include "lower/kernel.hpp"

#include <optional>

namespace sinter::gpu {

/// Whether the order of updates does not matter to the bits, and one memory access does each: a value that is an integer or
/// the extremum of floats.
bool is_atomic(const lower::Kernel& kernel, const lower::Inst& update);

/// The instruction that does the whole update, where there is one.
std::optional<llvm::AtomicRMWInst::BinOp> atomic_operation(const lower::Kernel& kernel, const lower::Inst& update);

/// The only update of a kernel, which each of its points executes at most once, by an operator that needs nothing else.
struct Captured {
    const lower::Inst* update;
    lower::Inst fold;  ///< a reduce with the operator, for a block that starts at level 0
    bool has_neutral;
    std::size_t buffer;  ///< the first one updated

    /// Of what is kept of a destination.
    std::int64_t bytes() const;
};
std::optional<Captured> captured_update(const lower::Kernel& kernel);

/// Copies of the destinations in a block's memory.
inline constexpr std::int64_t bins_bytes = 32768;
inline constexpr std::int64_t block_warps = block_threads / warp_threads;
/// As many copies of all `bins` as there is room for, a power of two, and not more than warps; 0: none.
std::int64_t copies_of(const Captured& captured, std::int64_t bins);

}  // namespace sinter::gpu
