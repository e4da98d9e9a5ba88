// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A kernel as a part of another one, which does what the part does at all of its points, where it stands.
#pragma once

#include "lower/compose/block_writer.hpp"

#include <variant>

namespace sinter::lower {

/// A buffer of the whole, a local of it in place of a buffer with one element that is loaded, or nothing in place of one
/// that is stored.
using Place = std::variant<std::monostate, std::size_t, Local>;

struct Part {
    const Kernel& kernel;
    std::vector<Place> buffers;               ///< by buffer of the part
    std::vector<std::optional<Local>> sizes;  ///< by size of the part, as far as sizes_needed says
    std::size_t checks = 0;                   ///< the number of its first check among those of the whole
};

/// The sizes of a kernel that have to be known where it is appended, by position in its table.
std::vector<bool> sizes_needed(const Kernel& kernel);

/// Appends all points of the part, one after another: as instructions of the current block if there is one point, else as a
/// for_each. Returns the values stored in place of buffers, by buffer. Nothing if this kind of kernel cannot be a part: it
/// keeps rows, fills accumulators, compacts or prints; its points contain loops, and there are several; or a value is not
/// stored in any case.
std::optional<std::vector<std::optional<Local>>> append_kernel(BlockWriter& to, const Part& part);

/// True if each point of the kernel loads from an input only the element with the number of that which it then stores to an
/// output: these may be one array.
bool is_pointwise(const Kernel& kernel, std::size_t input, std::size_t output);

}  // namespace sinter::lower
