// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Outputs that may have the memory of an input that nobody reads afterwards, as the next state of a loop may have that of
/// the state before: the kernel reads and writes one array then, instead of reading one and writing another.
#pragma once

#include "lower/kernel.hpp"

#include <cstddef>
#include <vector>

namespace sinter::lower {

/// Sets Buffer::takes where that is possible. `free`: the inputs whose memory may be taken. Whoever launches the kernel
/// decides; it computes the same in either case.
Kernel with_takes(Kernel kernel, const std::vector<std::size_t>& free);

}  // namespace sinter::lower
