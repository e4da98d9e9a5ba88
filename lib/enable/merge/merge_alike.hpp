// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Operations of one kind that may as well be one operation with the arrays of all: what merge_scatters and merge_filters
/// have in common.
#pragma once

#include "ir/program.hpp"

namespace sinter::enable {

/// A binding and its first result.
struct Placed {
    const ir::Binding& binding;
    ir::ValueId first;
};

/// Which operations become one, and how.
class MergeRule {
  public:
    virtual ~MergeRule() = default;
    virtual bool is_one(const ir::Binding& binding) const = 0;
    /// `one` stands before `other`. Their arrays have the same shape.
    virtual bool can_merge(const ir::SizeTable& sizes, const Placed& one, const Placed& other) const = 0;
    /// Adds the operands of `other`, in new names, to `into`. Its types are not looked at.
    virtual void merge(ir::Binding& into, const ir::Binding& other) const = 0;
    /// The number of results, the first ones, that are the same for all.
    virtual std::size_t common() const = 0;
    /// True if the extents of arrays are a result of the operation itself.
    virtual bool takes_extents() const = 0;
    virtual std::size_t most_arrays() const = 0;
};

/// Merges operations of each body of which none needs another. Quadratic in these operations, times what stands between
/// them.
ir::Program merge_alike(ir::Program program, const MergeRule& rule);

}  // namespace sinter::enable
