// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays of indices that are known: one number, or the position along an axis.
#pragma once

#include "ir/program.hpp"

#include <optional>
#include <variant>
#include <vector>

namespace sinter::ad {

struct AlongAxis {
    std::size_t axis;
};
/// What an array of indices holds at each of its points: this number, or the point's position.
using KnownIndex = std::variant<std::int64_t, AlongAxis>;

class KnownIndices {
  public:
    /// Has to be told of each binding that is written, with the number of its first result.
    void see(const ir::Binding& binding, std::size_t level);
    /// Forgets variables from this one on.
    void forget(std::size_t level);
    std::optional<KnownIndex> find(ir::ValueId id) const;

  private:
    std::vector<std::optional<KnownIndex>> known_;  ///< by level, as far as there is one
};

}  // namespace sinter::ad
