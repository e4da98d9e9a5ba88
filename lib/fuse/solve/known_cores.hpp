// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Cores that a part or a case of a problem inherits.
#pragma once

#include "fuse/solve/node.hpp"

namespace sinter::fuse::solve {

/// The node's known cores, as far as they say something of `problem`, which has the node's terms and perhaps others behind
/// them. Nothing: one cannot be paid for, and there is no feasible clustering.
std::optional<std::vector<Core>> inherited(const Node& node, const Problem& problem,
                                           const std::vector<std::size_t>& clusters);

/// Cores of the node's terms alone, which come first where `known` was found.
std::shared_ptr<const KnownCores> heritable(const KnownCores& known, const Node& node);

}  // namespace sinter::fuse::solve
