// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The order used by sort.
#pragma once

#include <sinter/detail/scalar.hpp>

#include <cstdint>

namespace sinter::interp {

/// Negative if a comes before b, positive if after, 0 if neither. -0 equals 0; NaN comes last, whatever the direction.
int compare_keys(detail::Scalar scalar, std::uint64_t a, std::uint64_t b, bool descending);

}  // namespace sinter::interp
