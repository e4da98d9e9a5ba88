// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/compose/block_writer.hpp"

#include <algorithm>
#include <utility>

namespace sinter::lower {

using ir::Op;

namespace {

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

std::int64_t magnitude(const Range& a) {
    return a.least == smallest ? std::numeric_limits<std::int64_t>::max() : std::max(-a.least, std::max(a.most, a.least));
}

/// Of division and of what keeps an index within an extent: no result is further from 0 than the first operand, or than the
/// second, so none of them overflows but the smallest number divided by -1.
std::optional<Range> range_of_quotient(Op op, const Range& a, const Range& b) {
    switch (op) {
        case Op::div:
            if (a.least == smallest && b.contains({-1, -1})) return std::nullopt;
            return a.least >= 0 && b.least >= 0 ? Range{0, a.most} : Range{-magnitude(a), magnitude(a)};
        case Op::rem: {
            const std::int64_t most = b.least == smallest ? magnitude(b) : std::max<std::int64_t>(magnitude(b), 1) - 1;
            return Range{std::max(std::min<std::int64_t>(a.least, 0), -most),
                         std::min(std::max<std::int64_t>(a.most, 0), most)};
        }
        case Op::wrap:
        case Op::symmetric:
        case Op::reflect:
            return Range{0, std::max<std::int64_t>(b.most, 1) - 1};
        case Op::bit_and:
            if (a.least < 0 && b.least < 0) return std::nullopt;
            return Range{0, a.least < 0 ? b.most : b.least < 0 ? a.most : std::min(a.most, b.most)};
        case Op::shift_right:
            return Range{std::min<std::int64_t>(a.least, 0), std::max<std::int64_t>(a.most, 0)};
        default:
            return std::nullopt;
    }
}

Range range_of_type(Scalar type) {
    const int bits = detail::bits_of(type);
    if (detail::is_float(type) || bits == 64) return {};
    const bool is_signed = detail::is_signed_integer(type);
    const std::int64_t count = std::int64_t{1} << (bits - (is_signed ? 1 : 0));
    return {is_signed ? -count : 0, count - 1};
}

}  // namespace

std::optional<Range> range_of(Op op, const Range& a, const Range& b) {
    Range result;
    bool overflows = false;
    switch (op) {
        case Op::add:
            overflows = __builtin_add_overflow(a.least, b.least, &result.least) ||
                        __builtin_add_overflow(a.most, b.most, &result.most);
            break;
        case Op::sub:
            overflows = __builtin_sub_overflow(a.least, b.most, &result.least) ||
                        __builtin_sub_overflow(a.most, b.least, &result.most);
            break;
        case Op::mul: {
            std::int64_t ends[4] = {};
            overflows =
                __builtin_mul_overflow(a.least, b.least, &ends[0]) || __builtin_mul_overflow(a.least, b.most, &ends[1]) ||
                __builtin_mul_overflow(a.most, b.least, &ends[2]) || __builtin_mul_overflow(a.most, b.most, &ends[3]);
            result = {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4)};
            break;
        }
        case Op::minimum:
            return Range{std::min(a.least, b.least), std::min(a.most, b.most)};
        case Op::maximum:
            return Range{std::max(a.least, b.least), std::max(a.most, b.most)};
        case Op::select:
            return Range{std::min(a.least, b.least), std::max(a.most, b.most)};
        default:
            return range_of_quotient(op, a, b);
    }
    return overflows ? std::nullopt : std::optional(result);
}

std::vector<Local> BlockWriter::open(const std::vector<Scalar>& params) {
    const Local first = builder_.open(params);
    std::vector<Local> locals;
    for (std::size_t k = 0; k < params.size(); ++k) locals.emplace_back(first.index + k);
    ranges_.resize(builder_.level());
    return locals;
}

Block BlockWriter::close(std::vector<Local> results) {
    Block block = builder_.close(std::move(results));
    ranges_.resize(builder_.level());
    return block;
}

Local BlockWriter::append(Inst inst) {
    const Range range = range_of_result(inst);
    const Local first = builder_.emit(std::move(inst));
    if (builder_.level() == ranges_.size()) return first;
    ranges_.resize(builder_.level());
    ranges_[first.index] = range;
    return first;
}

Local BlockWriter::append(Op op, Local left, Local right) { return append({op, {Scalar::i64}, 0, {left, right}, {}}); }

Local BlockWriter::index(std::int64_t value) {
    return append({Op::constant, {Scalar::i64}, static_cast<std::uint64_t>(value), {}, {}});
}

Range BlockWriter::range_of_result(const Inst& inst) const {
    if (inst.types.size() != 1 || inst.type() != Scalar::i64) return {};
    const auto value = static_cast<std::int64_t>(inst.bits);
    if (inst.op == Op::constant) return {value, value};
    if (inst.op == Op::check_index) return {0, std::max<std::int64_t>(range(inst.operands[1]).most, 1) - 1};
    if (inst.op == Op::select) return *range_of(inst.op, range(inst.operands[1]), range(inst.operands[2]));
    if (inst.op == Op::cast) return range_of_type(builder_.type(inst.operands[0]));
    if (inst.op == Op::check_divisor) {  // 1 in place of 0
        const Range& divisor = range(inst.operands[0]);
        return {divisor.least == 0 ? 1 : divisor.least, std::max<std::int64_t>(divisor.most, divisor.least <= 0 ? 1 : 0)};
    }
    if (inst.operands.size() != 2) return {};
    return range_of(inst.op, range(inst.operands[0]), range(inst.operands[1])).value_or(Range{});
}

}  // namespace sinter::lower
