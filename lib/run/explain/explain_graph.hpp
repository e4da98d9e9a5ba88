// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A plan as a graph for Graphviz: clusters are coloured boxes with the bytes that they move, arrays in memory are ellipses;
/// edges say why the reader of an array is not fused with its producer.
#pragma once

#include "run/explain/explain_walk.hpp"

#include <string>
#include <vector>

namespace sinter::runtime {

/// `bytes`: of the clusters of all bodies, one after the other.
std::string dot_of(const std::vector<ExplainedBody>& bodies, std::span<const std::int64_t> bytes);

}  // namespace sinter::runtime
