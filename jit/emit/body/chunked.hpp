// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The loop of a kernel whose range tiles execute in parts.
#pragma once

#include "jit/emit/body/scope.hpp"

namespace sinter::emit {

/// What an entry of a kernel does.
enum class Part : std::uint8_t {
    tile,    ///< executes a tile
    finish,  ///< combines partial results instead of reducing, and executes what follows
    chain,   ///< for a scan: combines what comes before a chunk with the total of the chunk
};

/// A reduce, scan or compact that tiles may execute in parts: it is the only loop of the body, and its extents depend on
/// sizes alone.
struct Chunked {
    const Inst* loop = nullptr;  ///< null if nothing is chunked
    Part part = Part::tile;
    bool lanes_on_points = false;
    Value row = {};                          ///< row-major index of the row's first point (if lanes are on points) or of the
                                             ///< point
    llvm::BasicBlock* point_done = nullptr;  ///< where a tile continues after storing its partial results

    bool is(const Inst& inst) const { return loop == &inst; }
};

}  // namespace sinter::emit
