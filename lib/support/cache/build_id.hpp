// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What distinguishes this build of the library from others: what one build has made is never used by another.
#pragma once

#include <string>

namespace sinter {

/// The linker's build id of the library (or the program it is linked into), as hexadecimal digits; empty without one.
const std::string& build_id();

}  // namespace sinter
