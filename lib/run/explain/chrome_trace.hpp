// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A recording in Chrome's trace event format, which Perfetto reads, too.
#pragma once

#include "support/threads/recorder.hpp"

#include <string>

namespace sinter::runtime {

/// JSON: a complete event ("ph": "X") for everything that was recorded, in microseconds since the start.
std::string chrome_trace(const Recording& recording);

}  // namespace sinter::runtime
