// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The interpreters as targets: of whole programs (Target::interpreter()) and of kernels (for tests of lowering and fusion).
#pragma once

#include "run/execute/execute.hpp"

#include <memory>

namespace sinter::runtime {

/// Executes `program` operation by operation with lib/interp.
std::vector<Array> interpret(const ir::Program& program, const Call& call);

/// Executes a kernel by interpreting its loop IR.
void launch_interpreted(const lower::Kernel& kernel, const Launch& launch);

/// A backend that launches kernels in this way.
std::unique_ptr<Backend> make_kernel_interpreter();

}  // namespace sinter::runtime
