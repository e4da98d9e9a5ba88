// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The layers of a body: what complete results keep apart, whatever is copied.
///
/// A *turn* is an operation whose results are needed complete, as a fold to a scalar, and that every operation which is
/// not movable comes before or behind. Turns are executed one after the other in any partition. A cluster that holds
/// something that needs the k-th turn, and nothing that needs the next, is of layer k. So is whatever needs k turns and is
/// not movable; what is, a map that clusters may or have to compute for themselves, is computed there or in later layers.
#pragma once

#include "fuse/graph/dep_graph.hpp"

namespace sinter::fuse {

/// Whether the reader is never in the cluster of the producer.
inline bool needs_memory(const Access& access) {
    return access.obstacle != Obstacle::none && access.obstacle != Obstacle::repetition;
}

struct Layers {
    std::size_t count = 1;
    std::vector<std::size_t> of;  ///< by operation; 0 of what is no vertex
};

/// `movable`, by operation. Quadratic, in bits.
Layers layers(const DepGraph& graph, const std::vector<bool>& movable);

}  // namespace sinter::fuse
