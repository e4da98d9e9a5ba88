// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The part of the printer that kernels share: blocks of instructions, appended to a text.
#pragma once

#include "ir/function.hpp"

#include <string>

namespace sinter::ir {

void append_number(std::string& out, std::int64_t value);
/// `indent` is that of the line on which the text stands. Short blocks without nested blocks stay on one line.
void append_block(std::string& out, const Block& block, std::size_t level, std::size_t indent);
void append_fn(std::string& out, const Fn& fn, std::size_t indent);

}  // namespace sinter::ir
