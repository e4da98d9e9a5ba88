// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opt/algebra/algebra.hpp"

#include "ir/evaluate.hpp"

#include <bit>
#include <utility>

namespace sinter::opt {

using namespace ir;

namespace {

/// Stands for a local that is not defined by an instruction without blocks.
Inst opaque() { return {Op::store, {}, 0, {}, {}}; }

std::uint64_t ones(Scalar type) {
    int bits = detail::bits_of(type);
    return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

}  // namespace

Local Algebra::open(const std::vector<Scalar>& params) {
    definitions_.resize(to_.level() + params.size(), opaque());
    return to_.open(params);
}

Block Algebra::close(std::vector<Local> results) {
    Block block = to_.close(std::move(results));
    definitions_.resize(to_.level());
    return block;
}

Local Algebra::append(Inst inst) {
    Inst known = inst.blocks.empty() && inst.types.size() == 1 ? inst : opaque();
    Local first = to_.emit(std::move(inst));
    definitions_.resize(to_.level(), opaque());
    if (first.valid() && known.op != Op::store) definitions_[first.index] = std::move(known);
    return first;
}

Local Algebra::constant(Scalar type, std::uint64_t bits) { return append(Inst{Op::constant, {type}, bits, {}, {}}); }

std::optional<std::uint64_t> Algebra::constant(Local local) const {
    const Inst& inst = definitions_[local.index];
    return inst.op == Op::constant ? std::optional(inst.bits) : std::nullopt;
}

const Inst* Algebra::definition(Local local, Op op) const {
    const Inst& inst = definitions_[local.index];
    return inst.op == op ? &inst : nullptr;
}

Local Algebra::number(Scalar type, std::int64_t value) {
    bool floating = detail::is_float(type);
    return constant(type, floating ? from_double(type, static_cast<double>(value)) : from_int64(type, value));
}

/// True for a constant with this value; for floats, the sign of zero counts.
bool Algebra::is(Local local, double value) const {
    auto bits = constant(local);
    if (!bits) return false;
    Scalar type = to_.type(local);
    if (detail::is_float(type)) return *bits == from_double(type, value);
    return *bits == (from_int64(type, static_cast<std::int64_t>(value)) & ones(type));
}

bool Algebra::is_all_ones(Local local) const {
    auto bits = constant(local);
    return bits && *bits == ones(to_.type(local));
}

/// The exponent, if `local` is a constant power of two of an unsigned type.
std::optional<int> Algebra::power_of_two(Local local) const {
    auto bits = constant(local);
    if (!bits || !detail::is_unsigned_integer(to_.type(local)) || !std::has_single_bit(*bits)) return std::nullopt;
    return std::countr_zero(*bits);
}

Local Algebra::emit(Op op, Local a, Local b) {
    std::vector<Scalar> types{to_.type(a), to_.type(b)};
    return emit(Inst{op, {*result_type(op, types, types[0])}, 0, {a, b}, {}});
}

Local Algebra::emit(Op op, Local a) { return emit(Inst{op, {to_.type(a)}, 0, {a}, {}}); }

Local Algebra::emit(Inst inst) {
    if (Found value = folded(inst)) return *value;
    order(inst);
    if (Found value = simpler(inst)) return *value;
    return append(std::move(inst));
}

Algebra::Found Algebra::folded(const Inst& inst) {
    if (inst.operands.empty() || !can_evaluate(inst.op)) return std::nullopt;
    std::vector<std::uint64_t> values;
    std::vector<Scalar> types;
    for (Local operand : inst.operands) {
        auto bits = constant(operand);
        if (!bits) return std::nullopt;
        values.push_back(*bits);
        types.push_back(to_.type(operand));
    }
    bool divides = (inst.op == Op::div || inst.op == Op::rem) && detail::is_integer(types[0]);
    if (divides && values[1] == 0) return std::nullopt;
    return constant(inst.type(), evaluate(inst.op, inst.type(), types, values));
}

/// Moves constants to the right and lower locals to the left.
void Algebra::order(Inst& inst) const {
    if (!is_commutative(inst.op)) return;
    auto key = [&](Local local) { return std::pair(constant(local).has_value(), local); };
    if (key(inst.operands[1]) < key(inst.operands[0])) std::swap(inst.operands[0], inst.operands[1]);
}

Algebra::Found Algebra::simpler(const Inst& inst) {
    const auto& o = inst.operands;
    switch (inst.op) {
        case Op::add:
            return add(o[0], o[1]);
        case Op::sub:
            return sub(o[0], o[1]);
        case Op::mul:
            return mul(o[0], o[1]);
        case Op::div:
            return div(o[0], o[1]);
        case Op::rem:
            return rem(o[0], o[1]);
        case Op::pow:
            return pow(o[0], o[1]);
        case Op::negate:
            if (auto* inner = definition(o[0], Op::negate)) return inner->operands[0];
            return std::nullopt;
        case Op::abs:
            if (detail::is_unsigned_integer(inst.type()) || definition(o[0], Op::abs)) return o[0];
            if (auto* inner = definition(o[0], Op::negate)) return emit(Op::abs, inner->operands[0]);
            return std::nullopt;
        case Op::minimum:
        case Op::maximum:
        case Op::fmin:
        case Op::fmax:
            if (o[0] == o[1]) return o[0];
            return std::nullopt;
        case Op::fma:
            if (is(o[1], 1)) return emit(Op::add, o[0], o[2]);
            if (is(o[0], 1)) return emit(Op::add, o[1], o[2]);
            return std::nullopt;
        case Op::floor:
        case Op::ceil:
        case Op::trunc:
        case Op::round:
        case Op::rint:
            return rounding(o[0]);
        case Op::bit_and:
        case Op::bit_or:
        case Op::bit_xor:
            return logic(inst.op, o[0], o[1]);
        case Op::bit_not:
            return bit_not(o[0]);
        case Op::shift_left:
        case Op::shift_right:
            if (is(o[1], 0)) return o[0];
            return std::nullopt;
        case Op::equal:
        case Op::not_equal:
        case Op::less:
        case Op::less_equal:
        case Op::greater:
        case Op::greater_equal:
            return comparison(inst.op, o[0], o[1]);
        case Op::select:
            return select(o[0], o[1], o[2]);
        case Op::cast:
            return cast(inst.type(), o[0]);
        case Op::bit_cast:
            return bit_cast(inst.type(), o[0]);
        default:
            return std::nullopt;
    }
}

}  // namespace sinter::opt
