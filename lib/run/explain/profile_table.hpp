// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A recording as a table.
#pragma once

#include "support/threads/recorder.hpp"

#include <string>

namespace sinter::runtime {

/// Kernels come first, then stages, each sorted by decreasing time. `bandwidth`: bytes per second of the host that count as
/// 100 %.
std::string profile_table(const Recording& recording, double bandwidth);

}  // namespace sinter::runtime
