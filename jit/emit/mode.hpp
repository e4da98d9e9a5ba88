// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The ways a kernel can be executed.
#pragma once

#include "lower/kernel.hpp"

#include <cstddef>
#include <cstdint>

namespace sinter::emit {

/// Which loops get lanes.
enum class Mode : std::uint8_t {
    points,  ///< the innermost parallel axis
    inner,   ///< points one by one; the innermost axis of each reduce and for_each
    tiles,   ///< the innermost parallel axis, several points of another one together (register_tile.hpp)
    rows,    ///< the innermost parallel axis, elements of loops in blocks that are transposed (row_blocks.hpp)
};
constexpr std::size_t mode_count = 4;

struct Schedule {
    Mode mode = Mode::points;
    const lower::Inst* chunked = nullptr;  ///< a reduce, scan or compact of the body that tiles may execute in parts
};

}  // namespace sinter::emit
