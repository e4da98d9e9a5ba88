// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Compiles kernels for the host.
#pragma once

#include "jit/generator/generator.hpp"
#include "run/backend.hpp"
#include "schedule/schedule.hpp"

namespace sinter::codegen {

/// These implement Generator::host_object and host_texts.
HostObject compile_object(const lower::Kernel& kernel, const schedule::Machine& machine, const schedule::Schedule& schedule,
                          Effort effort);
runtime::KernelTexts compile_texts(const lower::Kernel& kernel, const schedule::Machine& machine,
                                   const schedule::Schedule& schedule);

}  // namespace sinter::codegen
