// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What conditions around an instruction say of a map's indices: in cond(i > 0, a(i - 1), ..), the neighbour is there.
#pragma once

#include "enable/index/neighbour_index.hpp"

namespace sinter::enable {

/// The conditions around the place to which a walk through a function has come.
class Guards {
  public:
    explicit Guards(const NeighbourIndices& indices) : indices_(indices) {}

    void enter(ir::Local condition, bool holds) { conditions_.push_back({condition, holds}); }
    void leave() { conditions_.pop_back(); }

    /// Matches an index plus a constant that a condition keeps inside of an axis with this extent: as a neighbour that is
    /// clamped, which it is not.
    std::optional<NeighbourIndex> match(ir::Local index, ir::SizeId extent) const;

  private:
    struct Condition {
        ir::Local local;
        bool holds;
    };
    bool implies(const Condition& condition, const NeighbourIndex& at, ir::SizeId extent) const;
    bool bounds(ir::Op op, ir::Local left, ir::Local right, const NeighbourIndex& at, ir::SizeId extent) const;

    const NeighbourIndices& indices_;
    std::vector<Condition> conditions_;
};

}  // namespace sinter::enable
