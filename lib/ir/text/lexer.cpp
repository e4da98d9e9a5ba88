// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/text/lexer.hpp"

#include <sinter/error.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <limits>

namespace sinter::ir {

namespace {

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.'; }

constexpr auto scalar_names = [] {
    std::array<std::string_view, detail::scalar_count> names;
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = detail::name_of(static_cast<Scalar>(i));
    return names;
}();

/// The length of the word at the front: a signed number may have a signed exponent.
std::size_t word_length(std::string_view text) {
    std::size_t length = text[0] == '-' ? 1 : 0;
    bool number = is_digit(text[length]);
    bool hexadecimal = text.substr(length).starts_with("0x");
    for (; length < text.size(); ++length) {
        bool exponent_sign =
            number && !hexadecimal && length > 0 && (text[length] == '-' || text[length] == '+') && text[length - 1] == 'e';
        if (!is_word(text[length]) && !exponent_sign) break;
    }
    return length;
}

std::size_t quoted_length(std::string_view text) {
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == '"')
            return i + 1;
    }
    return text.size();
}

std::size_t token_length(std::string_view text) {
    if (text.empty()) return 0;
    if (text.starts_with("->")) return 2;
    if (text[0] == '"') return quoted_length(text);
    if (is_word(text[0]) || (text[0] == '-' && text.size() > 1 && is_digit(text[1]))) return word_length(text);
    return 1;
}

}  // namespace

Lexer::Lexer(std::string_view text) : text_(text) { next(); }

void Lexer::next() {
    while (end_ < text_.size() && is_space(text_[end_])) ++end_;
    token_ = text_.substr(end_, token_length(text_.substr(end_)));
    end_ += token_.size();
}

std::string_view Lexer::take() {
    std::string_view token = token_;
    if (token.empty()) fail("the text ends too early");
    next();
    return token;
}

bool Lexer::accept(std::string_view token) {
    if (token_ != token) return false;
    next();
    return true;
}

void Lexer::expect(std::string_view token) {
    if (!accept(token)) fail(fmt::format("expected '{}'", token));
}

template <class T>
T Lexer::number() {
    T value = 0;
    auto [end, error] = std::from_chars(token_.data(), token_.data() + token_.size(), value);
    if (token_.empty() || error != std::errc() || end != token_.data() + token_.size()) fail("expected an integer");
    next();
    return value;
}

std::int64_t Lexer::integer() { return number<std::int64_t>(); }

std::size_t Lexer::natural() {
    if (token_.starts_with('-')) fail("expected a number that is not negative");
    return number<std::size_t>();
}

bool Lexer::at_numbered(char letter) const {
    return token_.size() > 1 && token_[0] == letter &&
           std::all_of(token_.begin() + 1, token_.end(), [](char c) { return is_digit(c); });
}

bool Lexer::at_numbered(char letter, std::size_t number) const {
    char digits[std::numeric_limits<std::size_t>::digits10 + 1];
    const char* const end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
    return token_.starts_with(letter) && token_.substr(1) == std::string_view(digits, end);
}

std::size_t Lexer::numbered(char letter) {
    if (!at_numbered(letter) || token_.size() > 10) fail(fmt::format("expected {} and a number", letter));
    std::size_t value = 0;
    std::from_chars(token_.data() + 1, token_.data() + token_.size(), value);
    next();
    return value;
}

Scalar Lexer::scalar() {
    for (int i = 0; i < detail::scalar_count; ++i) {
        if (token_ != scalar_names[static_cast<std::size_t>(i)]) continue;
        next();
        return static_cast<Scalar>(i);
    }
    fail("expected a scalar type");
}

std::string Lexer::quoted() {
    if (token_.size() < 2 || token_.front() != '"' || token_.back() != '"') fail("expected a quoted text");
    std::string result;
    for (std::size_t i = 1; i + 1 < token_.size(); ++i) {
        bool escaped = token_[i] == '\\';
        if (escaped) ++i;
        result += escaped && token_[i] == 'n' ? '\n' : token_[i];
    }
    next();
    return result;
}

void Lexer::fail(const std::string& message) const {
    std::string_view before = text_.substr(0, end_ - token_.size());
    auto line = 1 + std::count(before.begin(), before.end(), '\n');
    std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
    std::string found = token_.empty() ? "the end of the text" : fmt::format("'{}'", token_.substr(0, 40));
    throw UsageError(fmt::format("line {}, column {}: {}, found {}", line, column, message, found), location());
}

}  // namespace sinter::ir
