// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tokens of the text form. Every error of the parsers is a UsageError "line L, column C: ...", made here.
#pragma once

#include "ir/type.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace sinter::ir {

/// Bodies, blocks and sizes that are nested more deeply are an error, so that no text exhausts the stack.
constexpr std::size_t deepest_nesting = 200;

class Lexer {
  public:
    explicit Lexer(std::string_view text);

    /// The next token: a word (a name, or a number with its sign), a quoted string (with its quotes), or one of the symbols
    /// %  @ # ^ : = , ; ( ) { } [ ] + - * and ->. Empty at the end.
    std::string_view peek() const { return token_; }
    std::string_view take();
    bool at(std::string_view token) const { return token_ == token; }
    /// If the next token is `token`, takes it and returns true.
    bool accept(std::string_view token);
    void expect(std::string_view token);

    std::int64_t integer();
    std::size_t natural();  ///< with all 64 bits
    /// Takes a word made of `letter` and a number, e.g. x12; returns the number.
    std::size_t numbered(char letter);
    bool at_numbered(char letter) const;
    bool at_numbered(char letter, std::size_t number) const;  ///< with this number
    Scalar scalar();
    std::string quoted();

    /// Reports an error at the next token.
    [[noreturn]] void fail(const std::string& message) const;

  private:
    void next();
    template <class T>
    T number();
    std::string_view text_;
    std::string_view token_;
    std::size_t end_ = 0;  ///< of token_ in text_
};

}  // namespace sinter::ir
