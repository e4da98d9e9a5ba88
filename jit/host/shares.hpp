// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A host kernel's launch that ranks share (run/parts.hpp).
#pragma once

#include "jit/host/binding.hpp"
#include "run/parts.hpp"

#include <memory>

namespace sinter::host {

/// True if a launch bound so, but for its object, can be shared, by points or by chunks: it neither updates nor scans.
bool can_be_shared(const Binding& binding);

/// `binding`: one that can be shared, with its object.
std::shared_ptr<const runtime::SharedKernel> make_shares(Binding binding);

}  // namespace sinter::host
