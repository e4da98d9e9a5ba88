// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LLVM's part of the process: it does not survive short memory, and ends before the process does.
#pragma once

#include <sinter/error.hpp>

#include "support/threads/process.hpp"

#include <cstddef>

namespace sinter::emit {

/// The process is ending, and has destroyed tables that LLVM needs, where these cannot be made to stay (llvm_tables.hpp):
/// what is not compiled yet has to be interpreted. Not what handlers and destructors run that were registered after the code
/// generator was loaded, as they are called before; but those registered earlier.
class CompilerEnded : public Limitation {
  public:
    CompilerEnded();
};

/// Where LLVM is used. One at a time in a thread.
///
/// LLVM is built without exceptions: one that passes through it, of an allocation that fails, leaves whatever it was at
/// broken. So memory is tried before: the constructor throws std::bad_alloc if `bytes` are not to be had, and CompilerEnded.
/// If they do not do, std::bad_alloc still comes out of LLVM; everything that it was at must then be leaked.
class LlvmUse {
  public:
    explicit LlvmUse(std::size_t bytes);
    LlvmUse(const LlvmUse&) = delete;
    LlvmUse& operator=(const LlvmUse&) = delete;

  private:
    CriticalSection section_;
};

}  // namespace sinter::emit
