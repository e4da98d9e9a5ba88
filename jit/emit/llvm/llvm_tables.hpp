// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LLVM makes tables when it is loaded and when it first needs them, and has them destroyed when the process ends: while
/// another thread may still be loading it or compiling, and before programs' own handlers and destructors run, which may
/// want something compiled.
#pragma once

namespace sinter::emit {

/// From now on such tables are made to stay. False where that is not possible.
bool keep_llvm_tables();

/// Whether all are, from the first on.
bool all_llvm_tables_stay();

}  // namespace sinter::emit
