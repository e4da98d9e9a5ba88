// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A gather of what a fold makes is a fold of what a gather makes (van Balen et al., FProPer 2024, section 3.3, simple4):
///     gather(is, fold(xs, reduced axes)) = fold(gather((is, reduced axes), xs), reduced axes)
/// On the right, what makes xs can be fused with the gather, and that with the fold; on the left nothing is.
#pragma once

#include "enable/wishes.hpp"

namespace sinter::enable {

/// Where it is possible: that there are no more indices than results of the fold.
std::vector<Wish> wishes_of_gathered_folds(const ir::Program& program);
/// Where these hold.
ir::Program gathered_folds(ir::Program program, std::span<const Wish> holding);

}  // namespace sinter::enable
