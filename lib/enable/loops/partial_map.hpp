// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A map of all elements of an array that changes only those of a box, and what it reads of the array elsewhere.
#pragma once

#include "ir/program.hpp"

#include <optional>
#include <vector>

namespace sinter::enable {

/// The index of a read, by axis of the array: one of the map's own indices, or the counter of the loop around it.
using PlaneIndex = std::vector<std::optional<std::size_t>>;

struct PartialMap {
    /// By axis: the least index at which an element changes is at least the counter plus this.
    std::vector<std::optional<std::int64_t>> least;
    /// The planes and elements that the function reads of the array, each once.
    std::vector<PlaneIndex> planes;
};

/// `array`: the variable that the map has as an argument, and whose elements it keeps where its condition is false.
/// Nothing if there is no such condition that bounds an index from below by the counter, if the function also reads the
/// array at other indices or asks for its extents, or if something else may fail where the condition is false.
std::optional<PartialMap> partial_map(const ir::Map& map, std::size_t rank, ir::ValueId array, ir::ValueId counter);

}  // namespace sinter::enable
