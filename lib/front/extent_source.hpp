// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where an extent comes from. A size that is read should not keep an array alive, so it is traced back to an array that
/// exists anyway: an input or parameter, as far as the nodes on the way allow.
#pragma once

#include "front/graph.hpp"

#include <optional>

namespace sinter::front {

/// A literal, a scalar of the program, or extent `axis` of an array.
struct ExtentSource {
    std::optional<std::int64_t> literal;
    bool is_scalar = false;
    Leaf leaf;
    std::size_t axis = 0;
};

ExtentSource extent_source(Leaf leaf, std::size_t axis);

/// The axis counted from the outermost; UsageError naming `what` if there is none.
std::size_t normal_axis(std::int64_t axis, std::size_t rank, const char* what, location where);

}  // namespace sinter::front
