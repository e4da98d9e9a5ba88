// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What libsinter.so and libsinter-codegen.so know of each other.
#pragma once

#include "jit/generator/generator.hpp"

namespace sinter::codegen {

/// The only function that libsinter-codegen.so exports. It returns null if `pair` is not its own build_pair().
inline constexpr const char* entry_name = "sinter_code_generator";
using EntryFunction = Generator* (*)(const char* pair);

}  // namespace sinter::codegen
