// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Links objects with LLVM.
#pragma once

#include "jit/generator/image.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sinter::codegen {

/// These implement Generator::link and link_emulated.
std::unique_ptr<Image> link_with_orc(const std::string& object);
std::unique_ptr<Image> link_emulated(const std::string& object, const std::vector<std::pair<const char*, void*>>& functions);

}  // namespace sinter::codegen
