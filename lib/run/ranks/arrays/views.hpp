// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays of which several ranks of one machine have rows, side by side in the addresses of one of them: it maps the memory
/// of the others, so that a kernel reads their rows where they are.
#pragma once

#include "run/ranks/arrays/spread_array.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::runtime {

/// What a rank tells a near one of an array, so that it can read the rows.
struct Shown {
    const void* origin = nullptr;  ///< where element 0 would be in its memory
    std::int64_t offset = 0;       ///< and in its file, if there is one
    std::int32_t process = 0, file = -1;

    bool operator==(const Shown&) const = default;
};
Shown show(const SpreadArray& array);

/// A rank's bytes of an array.
struct ShownPart {
    Interval bytes;
    Shown from;

    bool operator==(const ShownPart&) const = default;
};

/// All parts in their order, side by side; other bytes of the array are not there. Their ranks keep them as they are while
/// it is used. Nothing if this process cannot map them.
std::optional<Piece> view_of(std::int64_t bytes, const std::vector<ShownPart>& parts);

}  // namespace sinter::runtime
