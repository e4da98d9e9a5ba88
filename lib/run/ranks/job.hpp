// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The ranks of one program: processes that a launcher has started together.
#pragma once

#include "support/transport.hpp"

namespace sinter::runtime {

/// The transport of the job that this process has joined; null if it is alone.
const sinter_transport* job();

}  // namespace sinter::runtime
