// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sizes that differ by a number which is known although they are not: the ends i + 9 and i of a window.
#pragma once

#include "front/graph.hpp"

#include <optional>

namespace sinter::front {

/// a - b for scalars of type i64, if both are sums of the same multiples of the same scalars.
std::optional<std::int64_t> known_difference(const Leaf& a, const Leaf& b);

/// The number that a scalar of type i64 is in every call, if it is computed from nothing.
std::optional<std::int64_t> known_number(const Leaf& scalar);

}  // namespace sinter::front
