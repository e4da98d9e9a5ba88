// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels that make less.
#pragma once

#include "lower/kernel.hpp"

#include <cstddef>
#include <optional>

namespace sinter::lower {

/// The kernel without output buffer `output`, what only that needs, and the checks of indices that only it uses; buffers
/// behind it move up. Nothing if it is stored to elsewhere than by instructions of the outermost block. Linear.
std::optional<Kernel> without_output(Kernel kernel, std::size_t output);

}  // namespace sinter::lower
