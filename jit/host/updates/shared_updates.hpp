// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A launch that updates elements in copies of the arrays (schedule/ways/updates.hpp), and that ranks share by runs of
/// points: each rank updates the copies of its runs; then copies are combined as one rank combines them.
#pragma once

#include "jit/host/binding.hpp"
#include "run/parts.hpp"

#include <memory>

namespace sinter::host {

/// `runs`: copies that one rank has. `binding`: of the unchanged kernel, whose operators have neutral elements; without its
/// object, the result only tells how the launch is shared.
std::shared_ptr<const runtime::SharedKernel> share_updates(Binding binding, std::int64_t runs,
                                                           const std::shared_ptr<const Target>& target);

}  // namespace sinter::host
