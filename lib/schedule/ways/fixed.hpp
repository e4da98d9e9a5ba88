// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels for which short extents are constants (lower/index/fix_sizes.hpp): elements that such an extent keeps apart, as
/// the components of pixels, are loaded together and shuffled.
#pragma once

#include "schedule/candidates.hpp"

#include <cstdint>
#include <vector>

namespace sinter::schedule {

/// True if constants among the extents may make the kernel faster. It has no loops: where rows are folded, short ones are
/// transposed in any case, and constants gained less than they cost (sums, products and distances of 2 to 8 components: 0.6
/// to 1.7 of the time).
bool may_gain_fixed(const Candidates& candidates);

/// Those of the entries `used` whose values are short extents.
std::vector<ir::SizeId> fixed_sizes(const std::vector<ir::SizeId>& used, const std::int64_t* sizes);
/// True if that would be the same entries with the same values.
bool fixes_alike(const std::vector<ir::SizeId>& used, const std::int64_t* sizes, const std::int64_t* others);

}  // namespace sinter::schedule
