// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Extracts many clusters of one body: what all of them need to know about the body is computed once.
#pragma once

#include "fuse/partition.hpp"

namespace sinter::fuse {

struct BodyIndex {
    std::vector<bool> transparent;    ///< by operation: transparent.hpp
    std::vector<std::size_t> levels;  ///< by operation: the level of its first result
};

/// Indexes a body whose first parameter has level `base`. Linear in the body.
BodyIndex index_body(const ir::Body& body, std::size_t base);

/// As extract in partition.hpp, but linear in the size of the cluster alone.
Extracted extract(const ir::Program& program, const ir::Body& body, const std::vector<ir::Type>& outer,
                  const BodyIndex& index, const Cluster& cluster, const std::vector<ir::ValueId>& manifest);

}  // namespace sinter::fuse
