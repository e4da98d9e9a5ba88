// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sums of sizes that are known although the sizes are not: the ends i + 9 and i of a window differ by 9, and the parts of a
/// row before and after a place i have all of its elements together.
#pragma once

#include "front/graph.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace sinter::front {

/// A sum of multiples of different scalars, and a number. Everything wraps, as numbers of the program do.
struct SumOfScalars {
    std::vector<std::pair<Leaf, std::uint64_t>> multiples;
    std::uint64_t number = 0;
};

/// a + factor * b, if fewer scalars are in it than in a and b.
std::optional<SumOfScalars> shorter_sum(const SizeOperand& a, std::uint64_t factor, const SizeOperand& b);

/// The number that a scalar of type i64 is in every call, if it is computed from nothing.
std::optional<std::int64_t> known_number(const Leaf& scalar);

}  // namespace sinter::front
