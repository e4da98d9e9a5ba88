// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which variables of a vmap's body differ from slice to slice.
#pragma once

#include "ir/program.hpp"

#include <vector>

namespace sinter::enable {

using Flags = std::vector<bool>;

/// Whether any is set.
bool any(const Flags& flags);

/// A variable is batched if it depends on a parameter of the vmap's body: through operands, or because a condition or a
/// count on its way does. States of a loop: the least fixed point. Forces, gathers and branches count result by result.
class Batched {
  public:
    Batched() = default;
    /// With the sizes of the program: a slice is batched if it begins where the slice of the vmap says.
    explicit Batched(const ir::SizeTable& sizes) : sizes_(&sizes) {}
    bool operator()(ir::ValueId id) const { return id.index < flags_.size() && flags_[id.index]; }
    Flags operator()(const std::vector<ir::ValueId>& ids) const;

    /// Whether a size depends on such a variable; needs the sizes.
    bool operator()(ir::SizeId size) const;

    /// Variables from `level` on are these; what was known from there on is forgotten.
    void set(std::size_t level, const Flags& flags);
    /// What the results of a binding are, the first of which is variable `level`. Forgets what was known from there on.
    Flags results(const ir::Binding& binding, std::size_t level);
    /// The same for those of a body, given its parameters, the first of which is variable `level`.
    Flags body(const ir::Body& body, const Flags& params, std::size_t level);

  private:
    bool depends(const ir::Map& map) const;
    bool begins_elsewhere(const ir::View& view) const;
    Flags cond(const ir::Cond& cond, std::size_t level);
    Flags loop(const ir::Loop& loop, std::size_t level);
    bool depends(const ir::Custom& custom, std::size_t level);

    Flags flags_;  ///< by level
    const ir::SizeTable* sizes_ = nullptr;
};

}  // namespace sinter::enable
