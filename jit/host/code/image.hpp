// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Links object files into this process, without LLVM.
#pragma once

#include "jit/generator/image.hpp"

#include <memory>
#include <string>

namespace sinter::host {

using codegen::Image;

/// Links what our code generator makes for x86-64 and aarch64, within microseconds. Null if the object needs more than that:
/// it is for another machine, has a relocation of another kind, data that is written, or a symbol that this process does not
/// have. Throws std::bad_alloc, and Limitation if the system allows no new code.
std::unique_ptr<Image> link_directly(const std::string& object);

}  // namespace sinter::host
