// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Flags and failure records of guarded launches, in one block of the device's memory.
#pragma once

#include "jit/gpu/device/memory.hpp"
#include "run/backend.hpp"

#include <memory>

namespace sinter::gpu {

/// Throws std::bad_alloc.
std::unique_ptr<runtime::Lookahead> look_ahead(Memory& memory, std::size_t flags, std::size_t records);

}  // namespace sinter::gpu
