// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A recording in a table.
#pragma once

#include "support/threads/recorder.hpp"

#include <string>

namespace sinter::runtime {

/// Kernels, then stages; those that took longest come first. `bandwidth`: the host's, bytes a second that count
/// as 100 %.
std::string profile_table(const Recording& recording, double bandwidth);

}  // namespace sinter::runtime
