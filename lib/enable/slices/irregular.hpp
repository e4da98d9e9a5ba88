// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the rules of lift cannot execute for all slices at once.
#pragma once

#include "enable/slices/batched.hpp"

#include <utility>

namespace sinter::enable {

/// Follows through bodies which variables depend on the slice. Something is irregular if an extent depends on the slice, or
/// if it is an operation that has no rule for what depends on the slice.
class Irregular {
  public:
    explicit Irregular(const ir::SizeTable& sizes) : flags_(sizes) {}
    /// `flags`: those of the variables so far.
    explicit Irregular(Batched flags) : flags_(std::move(flags)) {}

    /// The flags of the body's parameters, the first of which is variable `level`, are `params`.
    bool body(const ir::Body& body, const Flags& params, std::size_t level);
    /// `results`: the flags of the binding's results, the first of which is variable `level`.
    bool binding(const ir::Binding& binding, const Flags& results, std::size_t level);

    Batched& flags() { return flags_; }
    const Batched& flags() const { return flags_; }
    bool varies(const ir::Type& type) const;

  private:
    bool loop(const ir::Loop& loop, const Flags& results, std::size_t level);

    Batched flags_;
};

}  // namespace sinter::enable
