// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A gather from the result of a fold is a fold of the result of a gather (van Balen et al., FProPer 2024, section 3.3,
/// simple4):
///     gather(is, fold(xs, reduced axes)) = fold(gather((is, reduced axes), xs), reduced axes)
/// On the right, whatever makes xs can be fused with the gather, and that with the fold; on the left nothing can be fused.
#pragma once

#include "enable/wishes.hpp"

namespace sinter::enable {

/// The wishes under which this is done: there are no more indices than results of the fold.
std::vector<Wish> wishes_of_gathered_folds(const ir::Program& program);
/// Does it where the wishes `holding` allow it.
ir::Program gathered_folds(ir::Program program, std::span<const Wish> holding);

}  // namespace sinter::enable
