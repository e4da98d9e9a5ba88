// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/op.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace sinter::ir {

namespace {

bool in_domain(Domain domain, Scalar s) {
    switch (domain) {
        case Domain::number:
            return !detail::is_boolean(s);
        case Domain::integer:
            return detail::is_integer(s);
        case Domain::floating:
            return detail::is_float(s);
        case Domain::bits:
            return !detail::is_float(s);
        case Domain::any:
            return true;
    }
    return false;
}

bool all_equal(std::span<const Scalar> types) {
    return std::all_of(types.begin(), types.end(), [&](Scalar s) { return s == types[0]; });
}

bool all_indices(std::span<const Scalar> types) {
    return std::all_of(types.begin(), types.end(), [](Scalar s) { return s == Scalar::i64; });
}

constexpr auto ops_by_name = [] {
    std::array<Op, std::size(op_table)> ops{};
    for (std::size_t i = 0; i < ops.size(); ++i) ops[i] = static_cast<Op>(i);
    std::sort(ops.begin(), ops.end(), [](Op a, Op b) { return info(a).name < info(b).name; });
    return ops;
}();

}  // namespace

std::optional<Op> find_op(std::string_view name) {
    const auto found = std::lower_bound(ops_by_name.begin(), ops_by_name.end(), name,
                                        [](Op op, std::string_view wanted) { return info(op).name < wanted; });
    if (found == ops_by_name.end() || info(*found).name != name) return std::nullopt;
    return *found;
}

bool is_pure(Op op) {
    const Traits traits = info(op).traits;
    return traits == Traits::pure || traits == Traits::math || traits == Traits::comparison;
}

bool is_pure(Op op, Scalar s) { return is_pure(op) || (info(op).traits == Traits::may_fail && !may_fail(op, s)); }

bool has_effect(Op op) {
    const Traits traits = info(op).traits;
    return traits == Traits::effect || (traits == Traits::loop && op != Op::reduce);
}

bool is_continuation(Op op) { return op == Op::wrap || op == Op::symmetric || op == Op::reflect; }

bool is_commutative(Op op) {
    switch (op) {
        case Op::add:
        case Op::mul:
        case Op::minimum:
        case Op::maximum:
        case Op::fmin:
        case Op::fmax:
        case Op::bit_and:
        case Op::bit_or:
        case Op::bit_xor:
        case Op::equal:
        case Op::not_equal:
            return true;
        default:
            return false;
    }
}

bool may_fail(Op op, Scalar s) {
    if (op == Op::div || op == Op::rem) return detail::is_integer(s);
    return info(op).traits == Traits::may_fail;
}

std::optional<Scalar> result_type(Op op, std::span<const Scalar> operands, Scalar own) {
    const OpInfo& op_info = info(op);
    if (op_info.arity >= 0 && operands.size() != static_cast<std::size_t>(op_info.arity)) return std::nullopt;
    auto allowed = [&](Scalar s) { return in_domain(op_info.domain, s); };
    switch (op_info.result) {
        case ResultRule::same:
            if (!all_equal(operands) || !allowed(operands[0])) return std::nullopt;
            return operands[0];
        case ResultRule::boolean:
            if (!all_equal(operands) || !allowed(operands[0])) return std::nullopt;
            return Scalar::boolean;
        case ResultRule::select:
            if (operands[0] != Scalar::boolean || operands[1] != operands[2]) return std::nullopt;
            return operands[1];
        case ResultRule::cast:
            return own;
        case ResultRule::bit_cast:
            if (detail::size_of(operands[0]) != detail::size_of(own)) return std::nullopt;
            if (detail::is_boolean(operands[0]) != detail::is_boolean(own)) return std::nullopt;
            return own;
        case ResultRule::index:
            if (!all_indices(operands)) return std::nullopt;
            return Scalar::i64;
        case ResultRule::own:
            return own;
    }
    return std::nullopt;
}

}  // namespace sinter::ir
