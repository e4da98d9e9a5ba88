// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every operation of the table that can be evaluated, is, for all types that it accepts.
#include "ir/evaluate.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace sinter::ir;

namespace {

constexpr Op all_operations[] = {
#define SINTER_OP(name, arity, domain, result, traits) Op::name,
#include <sinter/detail/ops.def>
#undef SINTER_OP
};

constexpr Scalar all_types[] = {Scalar::boolean, Scalar::i8,  Scalar::i16, Scalar::i32, Scalar::i64, Scalar::u8,
                                Scalar::u16,     Scalar::u32, Scalar::u64, Scalar::f16, Scalar::f32, Scalar::f64};

/// The types of its operands, if the first one of the domain's type is `type`; none if it does not accept that.
std::vector<Scalar> operands_of(Op op, Scalar type) {
    std::vector<Scalar> types(static_cast<std::size_t>(info(op).arity), type);
    if (info(op).result == ResultRule::select) types[0] = Scalar::boolean;
    return result_type(op, types, type) ? types : std::vector<Scalar>();
}

}  // namespace

TEST_CASE("every operation that can be evaluated is, for every type that it accepts") {
    for (Op op : all_operations) {
        if (!can_evaluate(op)) continue;
        std::size_t accepted = 0;
        for (Scalar type : all_types) {
            const std::vector<Scalar> types = operands_of(op, type);
            if (types.empty()) continue;
            ++accepted;
            INFO(info(op).name << " of " << sinter::detail::name_of(type));
            const std::vector<std::uint64_t> ones(types.size(), 1);
            CHECK_NOTHROW(evaluate(op, *result_type(op, types, type), types, ones));
        }
        INFO(info(op).name);
        CHECK(accepted > 0);
    }
}
