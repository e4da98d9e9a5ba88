// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The loop of a kernel whose range tiles execute in parts.
#pragma once

#include "jit/emit/body/scope.hpp"

namespace sinter::emit {

/// What an entry does.
enum class Part : std::uint8_t {
    tile,    ///< executes a tile
    finish,  ///< combines partial results instead of reducing, and executes what follows
    chain,   ///< of a scan: combines what comes before a chunk with the chunk's total
};

/// A reduce, scan or compact that tiles may execute in parts: the only loop of the body, its extents depend on sizes alone.
struct Chunked {
    const Inst* loop = nullptr;  ///< null: nothing is chunked
    Part part = Part::tile;
    bool lanes_on_points = false;
    Value row = {};                          ///< row-major index of the row's first point (lanes on points) or of the point
    llvm::BasicBlock* point_done = nullptr;  ///< where a tile goes after storing its partial results

    bool is(const Inst& inst) const { return loop == &inst; }
};

}  // namespace sinter::emit
