// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sizes and array types of the text form.
#pragma once

#include "ir/text/lexer.hpp"
#include "ir/type.hpp"

#include <vector>

namespace sinter::ir {

class SizeParser {
  public:
    SizeParser(Lexer& lexer, SizeTable& sizes) : lexer_(lexer), sizes_(sizes) {}

    /// Parses what follows the word "size", which declares the next name.
    void declaration();
    SizeId size();
    Type type();

  private:
    SizeId input_extent();
    SizeId infix();
    SizeId call(Size::Kind kind);

    Lexer& lexer_;
    SizeTable& sizes_;
    std::vector<SizeId> declared_;
    std::size_t depth_ = 0;
};

}  // namespace sinter::ir
