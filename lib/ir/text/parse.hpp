// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reads the text form that ir/text/print.hpp describes and writes. print(parse(t)) is t for every printed t;
/// parse(print(p)) is p except for sites and for entries of the size table that p does not use. A malformed text is a
/// UsageError with line and column. The result is well-formed as a text (levels, scopes, types of instructions);
/// ir/verify/verify.hpp checks everything else.
#pragma once

#include "ir/program.hpp"
#include "ir/text/lexer.hpp"

#include <span>
#include <string_view>

namespace sinter::ir {

Program parse(std::string_view text);
Fn parse_fn(std::string_view text);

/// The parts of the parser that kernels share. `outer` are the types of the locals in scope.
Block parse_block(Lexer& lexer, std::span<const Scalar> outer = {});
Fn parse_fn(Lexer& lexer);

}  // namespace sinter::ir
