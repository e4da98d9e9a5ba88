// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which reads of an array may stand in the cluster that overwrites a part of it in place.
///
/// A scatter that combines nothing, at indices start + step * index, overwrites a *window* of its destination, each element
/// of it at one point. A point may read what it overwrites itself, before it does, and anybody what is not overwritten:
/// elements that lie before or behind the window along one of the axes. So x(k+1.., k+1..) -= column k * row k of x itself
/// is one pass over memory. What is equal and what lies behind is told from linear forms (ir/sizes/linear.hpp).
#pragma once

#include "fuse/graph/dep_graph.hpp"
#include "ir/sizes/linear.hpp"

namespace sinter::fuse {

class Overwrites {
  public:
    explicit Overwrites(const DepGraph& graph);

    /// Whether `access`, of the destination of `scatter`, may stand in its cluster; `label`: from the scatter's points to
    /// what is read, unless it is read as a whole.
    bool may_read(const Access& access, Operation scatter, const LabelTable& labels, Label label);

  private:
    using Window = std::optional<ir::AffinePoint>;
    const Window& window(Operation scatter);

    const DepGraph& graph_;
    ir::LinearForms forms_;
    bool defined_ = false;
    std::unordered_map<std::uint32_t, Window> windows_;  ///< by scatter
};

}  // namespace sinter::fuse
