// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/neutral.hpp"

#include "ir/evaluate.hpp"

#include <limits>

namespace sinter::ir {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::uint64_t lowest(Scalar s) { return detail::is_signed_integer(s) ? 1ULL << (detail::bits_of(s) - 1) : 0; }
std::uint64_t highest(Scalar s) { return from_int64(s, static_cast<std::int64_t>(~lowest(s))); }

/// x op e = x for every x, except for the bit pattern of a NaN. -0 is neutral for addition, 0 is not.
std::optional<std::uint64_t> neutral_element(Op op, Scalar s) {
    const bool floating = detail::is_float(s);
    switch (op) {
        case Op::add:
            return floating ? from_double(s, -0.0) : 0;
        case Op::mul:
            return floating ? from_double(s, 1) : 1;
        case Op::minimum:
            return floating ? from_double(s, infinity) : highest(s);
        case Op::maximum:
            return floating ? from_double(s, -infinity) : lowest(s);
        case Op::fmin:
        case Op::fmax:
            return from_double(s, std::numeric_limits<double>::quiet_NaN());
        case Op::bit_and:
            return from_int64(s, -1);
        case Op::bit_or:
        case Op::bit_xor:
            return 0;
        default:
            return std::nullopt;
    }
}

}  // namespace

std::optional<std::vector<std::uint64_t>> neutral_elements(const Block& op, std::size_t count, std::size_t level) {
    std::vector<std::uint64_t> result;
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t position = op.results[k].index - (level + op.params.size());  // wraps around for a parameter
        if (position >= op.insts.size()) return std::nullopt;
        const Inst& inst = op.insts[position];
        const std::vector<Local> straight{Local(level + k), Local(level + count + k)};
        const std::vector<Local> swapped{straight[1], straight[0]};
        if (inst.operands != straight && inst.operands != swapped) return std::nullopt;
        const auto element = neutral_element(inst.op, inst.type());
        if (!element) return std::nullopt;
        result.push_back(*element);
    }
    return op.insts.size() == count ? std::optional(result) : std::nullopt;
}

}  // namespace sinter::ir
