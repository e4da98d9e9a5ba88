// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The use of LLVM within the process: it does not survive a shortage of memory, and ends before the process does.
#pragma once

#include <sinter/error.hpp>

#include "support/threads/process.hpp"

#include <cstddef>

namespace sinter::emit {

/// The process is ending and has destroyed tables that LLVM needs, because these could not be kept (llvm_tables.hpp): what
/// has not been compiled yet has to be interpreted. This does not concern handlers and destructors that were registered
/// after the code generator was loaded, because they are called before; but it concerns those registered earlier.
class CompilerEnded : public Limitation {
  public:
    CompilerEnded();
};

/// Exists where LLVM is used. One at a time per thread.
///
/// LLVM is built without exceptions: an exception that passes through it, when an allocation fails, leaves whatever it was
/// working on broken. So memory is tried before: the constructor throws std::bad_alloc if `bytes` bytes are not available,
/// and may throw CompilerEnded. If they are not enough, std::bad_alloc still comes out of LLVM; everything that it was
/// working on must then be leaked.
class LlvmUse {
  public:
    explicit LlvmUse(std::size_t bytes);
    LlvmUse(const LlvmUse&) = delete;
    LlvmUse& operator=(const LlvmUse&) = delete;

  private:
    CriticalSection section_;
};

}  // namespace sinter::emit
