// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Updates of elements by many threads at once.
#pragma once

#include "jit/emit/code.hpp"
#include "lower/kernel.hpp"

#include <optional>

namespace sinter::gpu {

/// Whether the order of updates does not matter to the bits, and one memory access does each: a value of 32 or 64 bits, an
/// integer or the extremum of floats. Others are executed in order.
bool is_atomic(const lower::Kernel& kernel, const lower::Inst& update);

/// The instruction that does the whole update, where there is one.
std::optional<llvm::AtomicRMWInst::BinOp> atomic_operation(const lower::Kernel& kernel, const lower::Inst& update);

}  // namespace sinter::gpu
