// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/text/parse_size.hpp"

#include <charconv>

namespace sinter::ir {

void SizeParser::declaration() {
    if (lexer_.numbered('s') != declared_.size()) lexer_.fail("sizes are declared in order, from s0");
    lexer_.expect("=");
    declared_.push_back(size());
}

/// n0 or n0.1
SizeId SizeParser::input_extent() {
    std::string_view word = lexer_.peek();
    const char* last = word.data() + word.size();
    std::uint32_t input = 0, axis = 0;
    auto [end, error] = std::from_chars(word.data() + 1, last, input);
    bool good = error == std::errc();
    if (good && end != last) {
        auto [axis_end, axis_error] = std::from_chars(end + 1, last, axis);
        good = *end == '.' && axis_error == std::errc() && axis_end == last;
    }
    if (!good) lexer_.fail("expected the extent of an input, like n0 or n0.1");
    lexer_.take();
    return sizes_.input_extent(input, axis);
}

SizeId SizeParser::infix() {
    lexer_.expect("(");
    SizeId left = size();
    std::string_view symbol = lexer_.take();
    SizeId right = size();
    lexer_.expect(")");
    if (symbol == "+") return sizes_.add(left, right);
    if (symbol == "-") return sizes_.sub(left, right);
    if (symbol == "*") return sizes_.mul(left, right);
    lexer_.fail("expected (size + size), (size - size) or (size * size) before this");
}

SizeId SizeParser::call(Size::Kind kind) {
    lexer_.expect("(");
    SizeId left = size();
    lexer_.expect(",");
    SizeId right = size();
    lexer_.expect(")");
    return sizes_.intern({kind, 0, 0, left, right});
}

SizeId SizeParser::size() {
    if (++depth_ > deepest_nesting) lexer_.fail("sizes are nested too deeply");
    SizeId id;
    if (lexer_.at("(")) {
        id = infix();
    } else if (lexer_.accept("%")) {
        id = sizes_.value(ValueId(lexer_.natural()));
    } else if (lexer_.accept("ceil_div")) {
        id = call(Size::Kind::ceil_div);
    } else if (lexer_.accept("min")) {
        id = call(Size::Kind::minimum);
    } else if (lexer_.accept("max")) {
        id = call(Size::Kind::maximum);
    } else if (lexer_.at_numbered('a')) {
        id = sizes_.argument(lexer_.numbered('a'));
    } else if (lexer_.at_numbered('s')) {
        std::size_t name = lexer_.numbered('s');
        if (name >= declared_.size()) lexer_.fail("a size before this is not declared");
        id = declared_[name];
    } else if (lexer_.peek().starts_with('n')) {
        id = input_extent();
    } else {
        id = sizes_.constant(lexer_.integer());
    }
    --depth_;
    return id;
}

Type SizeParser::type() {
    Type type;
    type.scalar = lexer_.scalar();
    if (!lexer_.accept("[")) return type;
    do type.shape.push_back(size());
    while (lexer_.accept(","));
    lexer_.expect("]");
    return type;
}

}  // namespace sinter::ir
