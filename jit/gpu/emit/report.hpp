// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Emits code that leaves a failed check where the host finds it (device/failure.hpp).
#pragma once

#include <llvm/IR/Module.h>

namespace sinter::gpu {

/// A function of the module: void(ptr failure, i64 point, i64 element, i32 check, i64 index, i64 extent).
llvm::Function* report_function(llvm::Module& module);

}  // namespace sinter::gpu
