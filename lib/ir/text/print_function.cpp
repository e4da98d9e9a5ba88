// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/text/print_function.hpp"

#include "ir/literal.hpp"
#include "ir/text/numbered.hpp"
#include "ir/text/print.hpp"

#include <charconv>
#include <span>

namespace sinter::ir {

namespace {

constexpr std::size_t longest_line = 8;  ///< the most instructions of a block that is printed on one line

class BlockPrinter {
  public:
    explicit BlockPrinter(std::string& out) : out_(out) {}

    void block(const Block& block, std::span<const ArrayParam> arrays, std::size_t level, std::size_t indent) {
        bool lines = block.insts.size() > longest_line || has_blocks(block);
        out_ += '{';
        params(block, arrays, level);
        level += block.params.size();
        for (const Inst& inst : block.insts) {
            separate(lines, indent + 2);
            instruction(inst, level, indent + 2);
            out_ += ';';
            level += inst.types.size();
        }
        if (!block.results.empty()) separate(lines, indent + 2), locals(block.results, ", ");
        if (lines) newline(indent);
        out_ += '}';
    }

  private:
    static bool has_blocks(const Block& block) {
        for (const Inst& inst : block.insts)
            if (!inst.blocks.empty()) return true;
        return false;
    }

    void newline(std::size_t indent) { out_ += '\n', out_.append(indent, ' '); }
    void separate(bool lines, std::size_t indent) { lines ? newline(indent) : void(out_ += ' '); }
    void number(std::uint64_t value) { append_number(out_, static_cast<std::int64_t>(value)); }
    void local(std::size_t index) { out_ += 'x', number(index); }

    void locals(const std::vector<Local>& locals, const char* separator) {
        for (std::size_t i = 0; i < locals.size(); ++i) {
            if (i > 0) out_ += separator;
            local(locals[i].index);
        }
    }

    void typed_local(std::size_t index, Scalar type) {
        local(index);
        out_ += ": ";
        out_ += detail::name_of(type);
    }

    void params(const Block& block, std::span<const ArrayParam> arrays, std::size_t level) {
        bool first = true;
        auto comma = [&] { first ? void(first = false) : void(out_ += ", "); };
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            comma();
            out_ += '@', number(i), out_ += ": ", out_ += detail::name_of(arrays[i].scalar);
            out_ += '^', number(arrays[i].rank);
            if (arrays[i].once) out_ += " once";
        }
        for (std::size_t i = 0; i < block.params.size(); ++i) comma(), typed_local(level + i, block.params[i]);
        out_ += first ? "->" : " ->";
    }

    void instruction(const Inst& inst, std::size_t level, std::size_t indent) {
        ResultRule rule = info(inst.op).result;
        bool states_type = rule == ResultRule::own || rule == ResultRule::cast || rule == ResultRule::bit_cast;
        for (std::size_t i = 0; i < inst.types.size(); ++i) {
            if (i > 0) out_ += ", ";
            states_type ? typed_local(level + i, inst.types[i]) : local(level + i);
        }
        if (!inst.types.empty()) out_ += " = ";
        out_ += info(inst.op).name;
        attribute(inst);
        for (Local operand : inst.operands) out_ += ' ', local(operand.index);
        for (const Block& nested : inst.blocks) out_ += ' ', block(nested, {}, level, indent);
    }

    /// Prints what Inst::bits means for this operation.
    void attribute(const Inst& inst) {
        switch (inst.op) {
            case Op::constant:
                out_ += ' ', append_literal(out_, inst.type(), inst.bits);
                break;
            case Op::read:
                out_ += " @", number(inst.bits);
                break;
            case Op::extent:
                out_ += " @", number(extent_of(inst).slot), out_ += '^', number(extent_of(inst).axis);
                break;
            default:
                if (is_numbered(inst.op))
                    out_ += " #", number(inst.bits);
                else if (inst.bits != 0 && is_contractible(inst))
                    out_ += inst.bits == tf32_bits ? " tf32" : " contract";
                break;
        }
    }

    std::string& out_;
};

}  // namespace

void append_number(std::string& out, std::int64_t value) {
    char text[24];
    out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

void append_block(std::string& out, const Block& block, std::size_t level, std::size_t indent) {
    BlockPrinter(out).block(block, {}, level, indent);
}

void append_fn(std::string& out, const Fn& fn, std::size_t indent) {
    BlockPrinter(out).block(fn.body, fn.arrays, 0, indent);
}

std::string print(const Fn& fn) {
    std::string out;
    append_fn(out, fn, 0);
    return out;
}

std::string print(const Block& block, std::size_t level) {
    std::string out;
    append_block(out, block, level, 0);
    return out;
}

}  // namespace sinter::ir
