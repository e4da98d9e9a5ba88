// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A host kernel's launch that ranks share (run/parts.hpp).
#pragma once

#include "jit/host/binding.hpp"
#include "run/parts.hpp"

#include <memory>

namespace sinter::host {

/// `binding`: with its object, or else the result only tells how the launch is shared.
std::shared_ptr<const runtime::SharedKernel> make_shares(Binding binding);

}  // namespace sinter::host
