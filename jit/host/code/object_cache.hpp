// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Keeps object files on disk once they have been made.
#pragma once

#include "jit/host/target.hpp"
#include "lower/kernel.hpp"
#include "schedule/schedule.hpp"

#include <string>

namespace sinter::host {

/// Calls compile_object, unless an earlier process has done so.
std::string find_or_compile(const lower::Kernel& kernel, const Target& target, const schedule::Schedule& schedule);

}  // namespace sinter::host
