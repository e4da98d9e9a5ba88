// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/literal.hpp"
#include "ir/text/numbered.hpp"
#include "ir/text/parse.hpp"
#include "support/stack_array.hpp"

#include <fmt/format.h>

namespace sinter::ir {

namespace {

class BlockParser {
  public:
    BlockParser(Lexer& lexer, std::span<const Scalar> outer) : lexer_(lexer), types_(outer.begin(), outer.end()) {}

    Fn fn() {
        Fn fn;
        fn.body = block(&fn.arrays);
        return fn;
    }

    /// `arrays` is null unless array slots are allowed.
    Block block(std::vector<ArrayParam>* arrays) {
        if (++depth_ > deepest_nesting) lexer_.fail("blocks are nested too deeply");
        std::size_t base = types_.size();
        Block block;
        lexer_.expect("{");
        params(block, arrays);
        while (!at_results()) block.insts.push_back(instruction());
        if (!lexer_.at("}")) {
            do block.results.push_back(use());
            while (lexer_.accept(","));
        }
        lexer_.expect("}");
        types_.resize(base);
        --depth_;
        return block;
    }

  private:
    void params(Block& block, std::vector<ArrayParam>* arrays) {
        if (lexer_.accept("->")) return;
        do {
            if (arrays != nullptr && block.params.empty() && lexer_.accept("@")) {
                if (lexer_.natural() != arrays->size()) lexer_.fail("array slots are numbered from 0");
                lexer_.expect(":");
                Scalar scalar = lexer_.scalar();
                lexer_.expect("^");
                const std::size_t rank = lexer_.natural();
                arrays->push_back({scalar, rank, lexer_.accept("once")});
            } else {
                define();
                lexer_.expect(":");
                block.params.push_back(lexer_.scalar());
                types_.push_back(block.params.back());
            }
        } while (lexer_.accept(","));
        lexer_.expect("->");
    }

    /// True if results follow: "}" or locals that are used. An instruction starts with the definition of the next local or
    /// with an operation's name.
    bool at_results() const {
        if (lexer_.at("}")) return true;
        return lexer_.at_numbered('x') && !lexer_.at_numbered('x', types_.size());
    }

    void define(std::size_t more = 0) {
        std::size_t level = types_.size() + more;
        if (!lexer_.at_numbered('x', level)) lexer_.fail(fmt::format("expected x{}, the next local", level));
        lexer_.take();
    }

    Local use() {
        if (lexer_.at_numbered('x') && lexer_.peek().size() < 10) {
            std::size_t level = 0;
            for (char digit : lexer_.peek().substr(1)) level = 10 * level + static_cast<std::size_t>(digit - '0');
            if (level >= types_.size()) lexer_.fail("this local is not in scope");
        }
        return Local(lexer_.numbered('x'));
    }

    Inst instruction() {
        Inst inst;
        bool stated = true;  // the types of all results
        if (lexer_.at_numbered('x')) {
            do {
                define(inst.types.size());
                const bool typed = lexer_.accept(":");
                inst.types.push_back(typed ? lexer_.scalar() : Scalar::boolean);
                stated = stated && typed;
            } while (lexer_.accept(","));
            lexer_.expect("=");
        }
        std::optional<Op> op = find_op(lexer_.peek());
        if (!op) lexer_.fail("expected an operation");
        Lexer at_op = lexer_;
        lexer_.take();
        inst.op = *op;
        attribute(inst);
        const bool contract = lexer_.accept("contract");
        const bool tf32 = !contract && lexer_.accept("tf32");
        if (contract || tf32) inst.bits = tf32 ? tf32_bits : contract_bits;
        operands_.clear();
        while (lexer_.at_numbered('x')) operands_.push_back(use());
        inst.operands = operands_;
        while (lexer_.at("{")) inst.blocks.push_back(block(nullptr));
        lexer_.expect(";");
        infer_type(inst, stated, at_op);
        if (contract && !is_contractible(inst)) at_op.fail("only sums and products of f32 and f64 contract");
        if (tf32 && !may_be_tf32(inst)) at_op.fail("only products of f32 are of tf32");
        types_.insert(types_.end(), inst.types.begin(), inst.types.end());
        return inst;
    }

    void attribute(Inst& inst) {
        switch (inst.op) {
            case Op::constant: {
                if (inst.types.size() != 1) lexer_.fail("a constant has one result");
                auto bits = parse_literal(inst.type(), lexer_.peek());
                if (!bits) lexer_.fail(fmt::format("expected a literal of type {}", detail::name_of(inst.type())));
                lexer_.take();
                inst.bits = *bits;
                break;
            }
            case Op::read:
                lexer_.expect("@"), inst.bits = lexer_.natural();
                break;
            case Op::extent:
                lexer_.expect("@"), inst.bits = lexer_.natural() * extent_axes;
                lexer_.expect("^"), inst.bits += lexer_.natural() % extent_axes;
                break;
            default:
                if (is_numbered(inst.op)) lexer_.expect("#"), inst.bits = lexer_.natural();
                break;
        }
    }

    void infer_type(Inst& inst, bool stated, const Lexer& at) {
        ResultRule rule = info(inst.op).result;
        if (rule == ResultRule::own) {
            if (!stated) at.fail("the type of this operation must be stated");
            return;
        }
        if (inst.types.size() != 1) at.fail("this operation has one result");
        if ((rule == ResultRule::cast || rule == ResultRule::bit_cast) && !stated) at.fail("the type must be stated");
        StackArray<Scalar, 8> operands(inst.operands.size());
        for (std::size_t k = 0; k < operands.size(); ++k) operands[k] = types_[inst.operands[k].index];
        std::optional<Scalar> type = result_type(inst.op, {operands.data(), operands.size()}, inst.types[0]);
        if (!type) at.fail("the operands do not fit the operation");
        if (stated && inst.types[0] != *type) at.fail("the stated type is not that of the operation");
        inst.types[0] = *type;
    }

    Lexer& lexer_;
    std::vector<Scalar> types_;
    std::vector<Local> operands_;  ///< of the instruction being parsed
    std::size_t depth_ = 0;
};

}  // namespace

Block parse_block(Lexer& lexer, std::span<const Scalar> outer) { return BlockParser(lexer, outer).block(nullptr); }

Fn parse_fn(Lexer& lexer) { return BlockParser(lexer, {}).fn(); }

Fn parse_fn(std::string_view text) {
    Lexer lexer(text);
    Fn fn = parse_fn(lexer);
    if (!lexer.at("")) lexer.fail("expected nothing more");
    return fn;
}

}  // namespace sinter::ir
