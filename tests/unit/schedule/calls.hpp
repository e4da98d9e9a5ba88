// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Golden schedules: files of "# name: value" lines, among them "# arguments: 1000 7; 3 9" (sizes of calls), a kernel,
/// "# expect", how each call runs. No code is generated and no clock is read.
#pragma once

#include "lower/kernel.hpp"
#include "tests/golden_files.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sinter::test {

/// What a kernel comes to when it is called with a size table.
using Decide = std::function<std::string(const lower::Kernel& kernel, const std::vector<std::int64_t>& sizes)>;

/// How each of a file's calls runs.
std::string outcome(const std::string& heading, const Decide& decide);

}  // namespace sinter::test
