// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interp/order.hpp"

#include "ir/evaluate.hpp"

namespace sinter::interp {

namespace {

bool holds(ir::Op op, detail::Scalar scalar, std::uint64_t a, std::uint64_t b) {
    const detail::Scalar types[] = {scalar, scalar};
    const std::uint64_t operands[] = {a, b};
    return ir::evaluate(op, detail::Scalar::boolean, types, operands) != 0;
}

}  // namespace

int compare_keys(detail::Scalar scalar, std::uint64_t a, std::uint64_t b, bool descending) {
    if (scalar == detail::Scalar::boolean) scalar = detail::Scalar::u8;
    bool a_nan = !holds(ir::Op::equal, scalar, a, a), b_nan = !holds(ir::Op::equal, scalar, b, b);
    if (a_nan || b_nan) return int{a_nan} - int{b_nan};
    int order = int{holds(ir::Op::less, scalar, b, a)} - int{holds(ir::Op::less, scalar, a, b)};
    return descending ? -order : order;
}

}  // namespace sinter::interp
