// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/decided.hpp"

#include <cstdlib>

namespace sinter::enable {

using namespace ir;

std::optional<Local> Decided::rewrite(BlockBuilder& to, const Inst& inst) {
    std::erase_if(known_, [&](const auto& each) { return each.first.index >= to.level(); });  // of blocks that are closed
    if (const auto known = holds(inst)) return to.constant(Scalar::boolean, *known ? 1 : 0);
    if (const auto result = compared(to, inst)) return result;
    const auto of = form(inst);
    if (!of) return std::nullopt;
    const auto written = write(to, *of);
    const Local result = written ? *written : to.emit(inst);
    known_.insert_or_assign(result, *of);
    return result;
}

/// An index plus a constant.
std::optional<Local> Decided::write(BlockBuilder& to, const Form& form) const {
    const auto [row, column] = form.of_index;
    if (form.of_counter != 0 || row + column != 1 || row * column != 0) return std::nullopt;
    const Local index = index_[row == 1 ? 0 : 1];
    if (!index.valid()) return std::nullopt;
    return form.constant == 0 ? index : to.emit(Op::add, {index, to.constant_index(form.constant)});
}

/// A row with a column.
std::optional<Local> Decided::compared(BlockBuilder& to, const Inst& inst) const {
    if (!is_comparison(inst.op)) return std::nullopt;
    const auto form = difference(inst.operands[0], inst.operands[1], -1);
    if (!form || form->of_counter != 0 || std::abs(form->of_index[0]) != 1 || form->of_index[0] != -form->of_index[1])
        return std::nullopt;
    const std::size_t axis = form->of_index[0] == 1 ? 0 : 1;
    Form left{{}, 0, form->constant};
    left.of_index[axis] = 1;
    const auto written = write(to, left);
    if (!written) return std::nullopt;
    return to.emit(Inst{inst.op, inst.types, inst.bits, {*written, index_[1 - axis]}, {}});
}

std::optional<Decided::Form> Decided::form(const Inst& inst) const {
    if (inst.types.size() != 1 || inst.type() != Scalar::i64) return std::nullopt;
    constexpr std::int64_t large = 1 << 20;  // sums of smaller constants do not wrap
    if (inst.op == Op::constant) {
        const auto value = static_cast<std::int64_t>(inst.bits);
        return value > -large && value < large ? std::optional(Form{{}, 0, value}) : std::nullopt;
    }
    if (inst.op == Op::add) return difference(inst.operands[0], inst.operands[1], 1);
    if (inst.op == Op::sub) return difference(inst.operands[0], inst.operands[1], -1);
    return std::nullopt;
}

/// a + sign * b
std::optional<Decided::Form> Decided::difference(Local a, Local b, std::int64_t sign) const {
    const auto left = known_.find(a), right = known_.find(b);
    if (left == known_.end() || right == known_.end()) return std::nullopt;
    const Form &x = left->second, &y = right->second;
    return Form{{x.of_index[0] + sign * y.of_index[0], x.of_index[1] + sign * y.of_index[1]},
                x.of_counter + sign * y.of_counter,
                x.constant + sign * y.constant};
}

/// Of an index minus the counter, or a column minus a row, or the opposite, plus a constant.
Decided::Range Decided::range(const Form& form) const {
    const auto [row, column] = form.of_index;
    const bool is_one = std::abs(row) + std::abs(column) == 1, is_distance = row == -column && std::abs(row) == 1;
    if (form.of_counter != -row - column || !(is_one || (is_distance && apart_))) return {};
    const Bounds of = is_distance ? Bounds{1} : bounds_[row != 0 ? 0 : 1];
    const auto most = of.most ? std::optional(*of.most + form.constant) : std::nullopt;
    if ((is_distance ? column : row + column) > 0) return {of.least + form.constant, most};
    return {of.most ? std::optional(form.constant - *of.most) : std::nullopt, form.constant - of.least};
}

std::optional<bool> Decided::holds(const Inst& inst) const {
    if (!is_comparison(inst.op)) return std::nullopt;
    const auto difference = this->difference(inst.operands[0], inst.operands[1], -1);
    if (!difference) return std::nullopt;
    const auto [least, most] = range(*difference);
    const bool above = least && *least > 0, at_least = least && *least >= 0;
    const bool below = most && *most < 0, at_most = most && *most <= 0;
    const auto decided = [](bool holds, bool fails) { return holds || fails ? std::optional(holds) : std::nullopt; };
    switch (inst.op) {
        case Op::greater:
            return decided(above, at_most);
        case Op::greater_equal:
            return decided(at_least, below);
        case Op::less:
            return decided(below, at_least);
        case Op::less_equal:
            return decided(at_most, above);
        case Op::equal:
            return decided(at_least && at_most, above || below);
        case Op::not_equal:
            return decided(above || below, at_least && at_most);
        default:
            return std::nullopt;
    }
}

}  // namespace sinter::enable
