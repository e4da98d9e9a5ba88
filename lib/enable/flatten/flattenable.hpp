// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Decides which nests of slices of different shapes become operations on segments.
#pragma once

#include "ir/program.hpp"

#include <optional>
#include <string>

namespace sinter::enable {

/// What keeps a vmap from being flattened.
struct FlatteningObstacle {
    ir::SiteId site;        ///< of the operation
    std::string operation;  ///< its name
    const char* problem;    ///< what about it
};

/// Nothing if there is a rule for every operation of the body (flatten_rules.hpp, lift_rules.hpp), which contains no vmap.
/// All of its parameters depend on the slice; the first is variable `level`.
std::optional<FlatteningObstacle> obstacle_to_flattening(const ir::SizeTable& sizes, const ir::Body& body,
                                                         std::size_t level);

}  // namespace sinter::enable
