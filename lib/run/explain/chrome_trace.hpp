// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A recording in the trace event format of Chrome, which Perfetto reads too.
#pragma once

#include "support/threads/recorder.hpp"

#include <string>

namespace sinter::runtime {

/// JSON: a complete event ("ph": "X") for everything recorded, in microseconds since the start.
std::string chrome_trace(const Recording& recording);

}  // namespace sinter::runtime
