// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Compiles kernels for the host.
#pragma once

#include "run/backend.hpp"
#include "schedule/schedule.hpp"

#include <string>

namespace sinter::codegen {

/// These implement Generator::host_object and host_texts.
std::string compile_object(const lower::Kernel& kernel, const schedule::Machine& machine,
                           const schedule::Schedule& schedule);
runtime::KernelTexts compile_texts(const lower::Kernel& kernel, const schedule::Machine& machine,
                                   const schedule::Schedule& schedule);

}  // namespace sinter::codegen
