// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sets of things that have prices, in the order of what they cost together: as best solutions are listed by Lawler, "A
/// procedure for computing the K best solutions to discrete optimization problems", 1972.
#pragma once

#include "place/choice/choice.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace sinter::place {

class CheapestSets {
  public:
    struct Set {
        Price price = 0;
        std::vector<std::size_t> members;  ///< numbers of things, from the cheapest to the dearest
    };

    /// By thing: its price, which is not negative.
    explicit CheapestSets(std::vector<Price> prices);

    /// The cheapest set that has not been returned yet; the empty one is not returned at all. Nothing after the last. Takes
    /// time proportional to the size of the set, and to the logarithm of the number of sets before.
    std::optional<Set> next();

  private:
    /// Of positions in `order_`: the last is the largest.
    void add(Price price, std::vector<std::size_t> positions);

    std::vector<Price> prices_;
    std::vector<std::size_t> order_;  ///< things by price
    std::vector<Set> waiting_;        ///< a heap: each set has not been returned, but what it was made of has
};

}  // namespace sinter::place
