// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Distinguishes this build of the library from others: what one build has made is never used by another.
#pragma once

#include <string>

namespace sinter {

/// The linker's build id of the library (or of the program that it is linked into), in hexadecimal digits; empty if there is
/// none.
const std::string& build_id();

}  // namespace sinter
