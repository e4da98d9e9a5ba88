// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For programs that contain both parts, which are tests.
#include "jit/generator/library.hpp"

extern "C" sinter::codegen::Generator* sinter_code_generator(const char* pair);

namespace sinter::codegen {

Generator& generator() { return *sinter_code_generator(build_pair()); }

}  // namespace sinter::codegen
