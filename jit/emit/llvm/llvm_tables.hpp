// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LLVM makes tables when it is loaded and when it first needs them, and has them destroyed when the process ends: while
/// another thread may still be loading it or compiling, and before the program's own handlers and destructors run, which may
/// need something compiled.
#pragma once

namespace sinter::emit {

/// From now on, such tables are never destroyed. Returns false if that is impossible.
bool keep_llvm_tables();

/// True if all of them, including the first, are never destroyed.
bool all_llvm_tables_stay();

}  // namespace sinter::emit
