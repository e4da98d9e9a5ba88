// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// When a kernel's innermost two axes are counted as one (lower/index/flatten.hpp): lanes are full however short the rows
/// are, but what is not a row-major position costs a division, and reads of neighbours along a row become gathers.
#pragma once

#include "schedule/candidates.hpp"

#include <cstdint>
#include <vector>

namespace sinter::schedule {

/// Whether the kernel's flat form is worth making, to be compared.
bool may_gain_flat(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes);

/// The size table of the flat form for these of the kernel's.
std::vector<std::int64_t> flat_sizes(const lower::Kernel& kernel, const lower::Kernel& flat, const std::int64_t* sizes);

/// Vector instructions of a launch, as it is and flat.
struct FlatPrices {
    double rows, flat;
    bool pays() const { return flat < rows; }
};
FlatPrices compare_flat(const lower::Kernel& kernel, const Candidates& candidates, const lower::Kernel& flat,
                        const Candidates& flat_candidates, const std::int64_t* sizes);

}  // namespace sinter::schedule
