// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SINTER_PROFILER=perf: tells perf the names of kernels; it looks for them in /tmp/perf-PID.map.
#pragma once

#include "jit/generator/image.hpp"

#include <string>

namespace sinter::host {

/// Adds the functions of a linked object, under the kernel's name; does nothing if nobody profiles, or if the file cannot be
/// written.
void write_perf_map(const std::string& object, const codegen::Image& image, const std::string& kernel);

}  // namespace sinter::host
