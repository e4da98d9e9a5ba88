// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The flat form of a kernel counts its innermost two axes as one (lower/index/flatten.hpp): lanes are full however short
/// the rows are, but indices that are not row-major positions cost a division, and reads of neighbours along a row become
/// gathers.
#pragma once

#include "schedule/candidates.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter::schedule {

/// True if the kernel's flat form is worth making for a comparison.
bool may_gain_flat(const lower::Kernel& kernel, const Candidates& candidates, const std::int64_t* sizes);

/// The size table of the flat form, given that of the kernel.
std::vector<std::int64_t> flat_sizes(const lower::Kernel& kernel, const lower::Kernel& flat, const std::int64_t* sizes);

/// The same in place: `sizes` begins with the kernel's, and has room.
void set_flat_extent(const lower::Kernel& kernel, const lower::Kernel& flat, std::span<std::int64_t> sizes);

/// The price of a launch in vector instructions, by rows and in the flat form.
struct FlatPrices {
    double rows, flat;
    bool pays() const { return flat < rows; }
};
FlatPrices compare_flat(const lower::Kernel& kernel, const Candidates& candidates, const lower::Kernel& flat,
                        const Candidates& flat_candidates, const std::int64_t* sizes);

}  // namespace sinter::schedule
