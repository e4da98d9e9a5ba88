// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Machine code: made from a kernel, and loaded into this process.
#pragma once

#include "jit/emit/arguments.hpp"
#include "jit/emit/kernel.hpp"
#include "jit/host/target.hpp"

#include <llvm/ADT/SmallVector.h>

#include <string>

namespace llvm::orc {
class JITDylib;
}

namespace sinter::host {

/// An object file for `kernel`. Self-contained but for calls of the C library's mathematics.
llvm::SmallVector<char, 0> compile_object(const lower::Kernel& kernel, const Target& target, const emit::Schedule& schedule);

/// The same, as LLVM IR and as assembly.
runtime::KernelTexts compile_texts(const lower::Kernel& kernel, const Target& target, const emit::Schedule& schedule);

/// An object file in executable memory, for as long as this lives.
class LoadedObject {
  public:
    /// Throws InternalError if the object cannot be linked.
    explicit LoadedObject(llvm::ArrayRef<char> object);
    ~LoadedObject();
    LoadedObject(const LoadedObject&) = delete;
    LoadedObject& operator=(const LoadedObject&) = delete;
    emit::Entry kernel() const { return kernel_; }
    emit::Entry finish() const { return finish_; }  ///< null if the object has none
    emit::Entry chain() const { return chain_; }    ///< likewise

  private:
    llvm::orc::JITDylib* library_;
    emit::Entry kernel_ = nullptr, finish_ = nullptr, chain_ = nullptr;
};

}  // namespace sinter::host
