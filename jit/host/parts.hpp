// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Parts of a host kernel's launch (run/parts.hpp).
#pragma once

#include "jit/host/binding.hpp"
#include "run/parts.hpp"

namespace sinter::host {

/// Whether a launch bound so, but for its object, may be executed in parts: points do not depend on each other, and no task
/// keeps anything for others or for later. Rows that are lanes come in whole vectors, and so have no parts of their own.
bool has_parts(const Binding& binding);

/// Of a binding that has parts, and its object.
std::unique_ptr<const runtime::PartKernel> make_parts(Binding binding);

}  // namespace sinter::host
