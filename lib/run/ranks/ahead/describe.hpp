// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A launch as place/share.hpp sees it, whether it is made or only explained.
#pragma once

#include "place/share.hpp"
#include "run/parts.hpp"
#include "run/plan/plan.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace sinter::runtime {

struct LaunchView {
    const KernelStep& step;
    const BodyPlan& plan;
    const ir::SizeTable& program;  ///< sizes of the program
    const std::int64_t* sizes;     ///< of the kernel
};

/// False where no point is launched, as in the last steps of a loop whose slices become shorter, and where an extent is what
/// a call would throw for: such a launch has no parts. `sizes`: of the kernel.
bool has_points(const lower::Kernel& kernel, const std::int64_t* sizes);

/// The part of a step's launch that `shared` describes; nothing, and the reason in `why`, where it has none. `layout_of`: of
/// inputs; `extent_of`: the value of a size of the program. The result refers to `shared`.
std::optional<place::LaunchFacts> describe(const LaunchView& launch, const SharedKernel& shared,
                                           const std::function<place::Layout(ir::ValueId)>& layout_of,
                                           const std::function<std::int64_t(ir::SizeId)>& extent_of, std::string& why);

/// True for a buffer of what a compact keeps: as many elements as it finds.
bool is_kept(const SharedKernel& shared, std::size_t buffer);

/// True if a launch that is shared in this way makes an output in blocks; of what a compact keeps, if it keeps everything.
bool is_in_blocks(const place::LaunchFacts& facts, place::Way way, const SharedKernel& shared, std::size_t output);

/// SINTER_SHARE=always, for tests; never, for comparison.
place::Least least_shared();
/// Bytes of an array from which on what a compact keeps is in blocks.
std::int64_t least_kept_bytes();
/// Elements from which on a sort is shared.
std::int64_t least_sorted();

/// "by points on 3 ranks (why not otherwise), gathers input 0".
std::string text_of(const place::Share& share, int ranks);

}  // namespace sinter::runtime
