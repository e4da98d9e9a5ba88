// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Compiles kernels for a card, and for the host in its place.
#pragma once

#include "jit/generator/card_code.hpp"
#include "run/backend.hpp"

#include <cstddef>
#include <string>

namespace sinter::codegen {

/// These implement the functions of Generator.
std::string ptx_of(const CardCode& code, const PtxTarget& target);
runtime::KernelTexts card_texts(const CardCode& code, const PtxTarget& target);
EmulatedCode emulated_code(const CardCode& code, std::size_t most_stack);
runtime::KernelTexts emulated_texts(const CardCode& code, const PtxTarget& target);

}  // namespace sinter::codegen
