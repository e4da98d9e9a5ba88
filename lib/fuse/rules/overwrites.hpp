// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Decides which reads of an array may be in the cluster that overwrites a part of it in place.
///
/// A scatter that does not combine, at indices start + step * index, overwrites a *window* of its destination, each element
/// of it at one point. A point may read the element that it overwrites, before it does so; and every point may read what is
/// not overwritten: elements before or after the window along one of the axes. So x(k+1.., k+1..) -= column k * row k of x
/// itself is one pass over memory. Linear forms (ir/sizes/linear.hpp) tell which elements are equal and which lie after the
/// window.
#pragma once

#include "fuse/graph/dep_graph.hpp"
#include "ir/sizes/linear.hpp"

namespace sinter::fuse {

class Overwrites {
  public:
    explicit Overwrites(const DepGraph& graph);

    /// True if `access`, which reads the destination of `scatter`, may be in its cluster. `label` leads from the scatter's
    /// points to what is read, unless that is read as a whole.
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
