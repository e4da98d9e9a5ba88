// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LLVM IR of kernels to PTX.
#pragma once

#include <llvm/IR/Module.h>

#include <string>

namespace sinter::gpu {

struct PtxTarget {
    int architecture;  ///< 75, 80, 90, ...: compute capability times ten
    int version;       ///< of PTX, times ten

    std::string name() const;
};

/// The best there is for a card of this capability (times ten) and a driver of this version.
PtxTarget choose_ptx(int capability, int driver_version);

/// Triple and data layout.
void prepare_for_ptx(llvm::Module& module);
/// Gives the functions of builtin_names.hpp their instructions, and generates code. Thread-safe.
std::string generate_ptx(llvm::Module& module, const PtxTarget& target, std::size_t shared_bytes);

}  // namespace sinter::gpu
