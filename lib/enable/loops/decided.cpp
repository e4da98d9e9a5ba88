// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/loops/decided.hpp"

#include <cstdlib>

namespace sinter::enable {

using namespace ir;

std::optional<Local> Decided::rewrite(BlockBuilder& to, const Inst& inst) {
    if (const auto known = holds(inst)) return to.constant(Scalar::boolean, *known ? 1 : 0);
    const auto of = form(inst);
    if (!of) return std::nullopt;
    const Local result = to.emit(inst);
    known_.insert_or_assign(result, *of);
    return result;
}

std::optional<Decided::Form> Decided::form(const Inst& inst) const {
    if (inst.types.size() != 1 || inst.type() != Scalar::i64) return std::nullopt;
    constexpr std::int64_t large = 1 << 20;  // sums of smaller constants do not wrap
    if (inst.op == Op::constant) {
        const auto value = static_cast<std::int64_t>(inst.bits);
        return value > -large && value < large ? std::optional(Form{0, 0, 0, value}) : std::nullopt;
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
    if (x.of_index != 0 && y.of_index != 0 && x.axis != y.axis) return std::nullopt;
    return Form{x.of_index != 0 ? x.axis : y.axis, x.of_index + sign * y.of_index, x.of_counter + sign * y.of_counter,
                x.constant + sign * y.constant};
}

std::optional<bool> Decided::holds(const Inst& inst) const {
    if (!is_comparison(inst.op)) return std::nullopt;
    const auto difference = this->difference(inst.operands[0], inst.operands[1], -1);
    if (!difference || std::abs(difference->of_index) != 1 || difference->of_counter != -difference->of_index)
        return std::nullopt;
    // The index minus the counter is at least 1.
    const bool rises = difference->of_index > 0;
    const std::int64_t bound = rises ? difference->constant + 1 : difference->constant - 1;
    const bool above = rises && bound > 0, at_least = rises && bound >= 0;
    const bool below = !rises && bound < 0, at_most = !rises && bound <= 0;
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
            return decided(false, above || below);
        case Op::not_equal:
            return decided(above || below, false);
        default:
            return std::nullopt;
    }
}

}  // namespace sinter::enable
