// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Outputs that only repeat an input, as a tape repeats a state.
#pragma once

#include "schedule/steps/reach.hpp"

#include <cstdint>
#include <optional>

namespace sinter::schedule {

/// The input of which a kernel stores, at each offset of the output that it stores at, the element `ahead` elements before.
/// Nothing where the kernel may do something else.
std::optional<std::size_t> repeated_input(const lower::Kernel& kernel, const std::int64_t* sizes, const KnownNumbers& known,
                                          std::size_t output, std::int64_t ahead);

}  // namespace sinter::schedule
