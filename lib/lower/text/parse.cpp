// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/text/parse.hpp"

#include "ir/text/lexer.hpp"
#include "ir/text/parse.hpp"
#include "ir/text/parse_size.hpp"

namespace sinter::lower {

namespace {

using Kind = ir::Size::Kind;

class KernelParser {
  public:
    explicit KernelParser(std::string_view text) : lexer_(text) {}

    Kernel run() {
        lexer_.expect("kernel");
        kernel_.name = lexer_.take();
        while (lexer_.accept("size")) size();
        while (lexer_.accept("buffer")) buffer();
        while (lexer_.accept("check")) check();
        if (lexer_.accept("nonempty")) kernel_.nonempty = size_names();
        lexer_.expect("space");
        kernel_.space = size_names();
        kernel_.body = ir::parse_block(lexer_);
        if (!lexer_.at("")) lexer_.fail("expected the end of the kernel");
        return std::move(kernel_);
    }

  private:
    SizeId size_name() {
        std::size_t k = lexer_.numbered('s');
        if (k >= kernel_.sizes.count()) lexer_.fail("a size before this is not declared");
        return SizeId(k);
    }

    std::vector<SizeId> size_names() {
        std::vector<SizeId> names;
        while (lexer_.at_numbered('s')) names.push_back(size_name());
        return names;
    }

    void numbered(std::size_t expected) {
        if (lexer_.natural() != expected) lexer_.fail("entries are numbered in order, from 0");
        lexer_.expect(":");
    }

    void size() {
        std::size_t k = lexer_.numbered('s');
        lexer_.expect("=");
        if (k != kernel_.sizes.count() || definition() != SizeId(k)) lexer_.fail("the size before this is not a new one");
    }

    SizeId definition() {
        if (lexer_.accept("(")) {
            SizeId left = size_name();
            std::string_view symbol = lexer_.take();
            SizeId right = size_name();
            lexer_.expect(")");
            Kind kind = symbol == "+" ? Kind::add : symbol == "-" ? Kind::sub : Kind::mul;
            if (kind == Kind::mul && symbol != "*") lexer_.fail("expected +, - or *");
            return kernel_.sizes.intern({kind, 0, 0, left, right});
        }
        if (lexer_.accept("ceil_div")) return call(Kind::ceil_div);
        if (lexer_.accept("min")) return call(Kind::minimum);
        if (lexer_.accept("max")) return call(Kind::maximum);
        return ir::SizeParser(lexer_, kernel_.sizes).size();
    }

    SizeId call(Kind kind) {
        lexer_.expect("(");
        SizeId left = size_name();
        lexer_.expect(",");
        SizeId right = size_name();
        lexer_.expect(")");
        return kernel_.sizes.intern({kind, 0, 0, left, right});
    }

    void buffer() {
        numbered(kernel_.buffers.size());
        Buffer buffer{lexer_.scalar(), false, {}, {}};
        lexer_.expect("[");
        buffer.elements = size_name();
        lexer_.expect("]");
        buffer.output = lexer_.accept("out");
        buffer.local = !buffer.output && lexer_.accept("local");
        if (!buffer.output && !buffer.local) lexer_.expect("in");
        if (lexer_.accept("of")) buffer.dest = lexer_.natural();
        if (lexer_.accept("over")) buffer.takes = lexer_.natural();
        if (lexer_.accept("filled")) kernel_.accumulators.push_back({kernel_.buffers.size(), lexer_.natural()});
        kernel_.buffers.push_back(buffer);
    }

    void check() {
        numbered(kernel_.checks.size());
        Check check{Check::Kind::divisor, {}, 0};
        if (lexer_.accept("index")) {
            check.kind = Check::Kind::index;
            check.axis = lexer_.natural();
        } else if (lexer_.accept("guard")) {
            check.kind = Check::Kind::guard;
            check.axis = lexer_.natural();
        } else if (lexer_.accept("shape")) {
            check.kind = Check::Kind::shape;
            check.axis = lexer_.natural();
        } else if (lexer_.accept("length")) {
            check.kind = Check::Kind::length;
        } else if (lexer_.accept("total")) {
            check.kind = Check::Kind::total;
        } else if (lexer_.accept("expect")) {
            check.kind = Check::Kind::expect;
            check.text = lexer_.natural();
        } else if (lexer_.accept("print")) {
            check.kind = Check::Kind::print;
            check.text = lexer_.natural();
            while (lexer_.accept(":")) check.types.push_back(lexer_.scalar());
        } else {
            lexer_.expect("divisor");
        }
        if (lexer_.accept("site")) check.site = ir::SiteId(lexer_.natural());
        kernel_.checks.push_back(check);
    }

    ir::Lexer lexer_;
    Kernel kernel_;
};

}  // namespace

Kernel parse(std::string_view text) { return KernelParser(text).run(); }

}  // namespace sinter::lower
