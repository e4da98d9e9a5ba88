// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar operations: instructions in functions, nodes of rank 0 in programs.
#include <sinter/detail/build.hpp>
#include <sinter/detail/trace.hpp>

#include "front/extent_source.hpp"
#include "front/frame.hpp"
#include "ir/builder.hpp"
#include "support/check.hpp"
#include "support/text/debug_output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace sinter::front {
namespace {

/// One operation on scalars of a program as a node; literals among the operands become constants of its function.
Leaf make_scalar_node(Op op, Scalar result, std::uint64_t bits, const std::vector<Leaf>& operands, location where) {
    Map map{.fn = {}, .args = {}, .captures = {}, .indexed = false, .shape = {}};
    std::vector<Scalar> params;
    for (const Leaf& leaf : operands)
        if (!std::holds_alternative<Literal>(leaf.node->op)) {
            params.push_back(type_of(leaf).scalar);
            map.args.push_back(leaf);
        }
    ir::BlockBuilder builder;
    std::size_t local = builder.open(params).index;
    ir::Inst inst{op, {result}, bits, {}, {}};
    for (const Leaf& leaf : operands) {
        auto* literal = std::get_if<Literal>(&leaf.node->op);
        inst.operands.push_back(literal ? builder.constant(type_of(leaf).scalar, literal->bits) : ir::Local(local++));
    }
    ir::Local value = builder.emit(std::move(inst));
    map.fn = ir::canonical({{}, builder.close({value})});
    return {make_node(std::move(map), {{result, {}}}, where), 0};
}

/// The bit pattern of a whole number that the type holds.
std::optional<std::uint64_t> integer_bits(Scalar type, double value) {
    const int bits = bits_of(type);
    const double limit = std::ldexp(1.0, is_signed_integer(type) ? bits - 1 : bits);
    const double lowest = is_signed_integer(type) ? -limit : 0;
    if (!(value == std::trunc(value) && value >= lowest && value < limit)) return std::nullopt;
    const auto pattern =
        value < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) : static_cast<std::uint64_t>(value);
    return bits == 64 ? pattern : pattern & ((1ULL << bits) - 1);
}

}  // namespace

Handle add_scalar(Frame& frame, Leaf leaf) {
    auto& scalars = std::get<ProgramFrame>(frame.body).scalars;
    scalars.push_back(std::move(leaf));
    return {frame.serial, static_cast<std::uint32_t>(scalars.size() - 1)};
}

Leaf program_scalar(Handle handle, const char* what, location where) {
    Frame* owner = find_frame(handle.trace);
    if (!owner) throw_not_open(handle);
    if (auto* program = std::get_if<ProgramFrame>(&owner->body)) return program->scalars[handle.local];
    throw UsageError(
        fmt::format(
            "{} uses a scalar of {}: arrays cannot depend on the scalars of a function, only on those of "
            "compile(), of vmap and of loops on arrays. Use vmap instead of map, and vmap of iota(n) instead of generate",
            what, describe(*owner)),
        where);
}

Leaf make_literal(Scalar type, std::uint64_t bits, location where) {
    return {make_node(Literal{bits}, {{type, {}}}, where), 0};
}

}  // namespace sinter::front

namespace sinter::detail {

using namespace sinter::front;

Handle constant(Scalar type, std::uint64_t bits) {
    Frame& frame = innermost("making an Exp of a literal");
    if (std::holds_alternative<ProgramFrame>(frame.body)) return add_scalar(frame, make_literal(type, bits, frame.where));
    return add_inst(frame, {Op::constant, {type}, bits, {}, {}});
}

Handle integer_constant(Scalar type, double value) {
    if (auto bits = integer_bits(type, value)) return constant(type, *bits);
    throw UsageError(
        fmt::format("a literal takes the type of the expression it meets, but {} is no {}: write cast<double>(e) "
                    "or another cast of the expression first",
                    value, name_of(type)),
        innermost("making an Exp of a literal").where);
}

LeafRef integer_literal(const char* what, Scalar type, double value, location where) {
    if (auto bits = integer_bits(type, value)) return to_ref(make_literal(type, *bits, where));
    throw UsageError(fmt::format("{}: the elements are {}, and {} is none", what, name_of(type), value), where);
}

Handle apply(Op op, Scalar result, const Handle* operands, std::size_t count) {
    Frame& frame = innermost("an operation on Exps");
    if (std::holds_alternative<ProgramFrame>(frame.body)) {
        std::vector<Leaf> leaves;
        for (std::size_t i = 0; i < count; ++i)
            leaves.push_back(program_scalar(operands[i], "an operation on Exps", frame.where));
        return add_scalar(frame, make_scalar_node(op, result, 0, leaves, frame.where));
    }
    Recorded inst{op, {result}, 0, {}, {}};
    for (std::size_t i = 0; i < count; ++i) inst.operands.push_back(resolve(frame, operands[i]));
    return add_inst(frame, std::move(inst));
}

Handle expect(Handle condition, std::string_view text, bool statement, location where) {
    Frame& frame = innermost("expect");
    const std::uint64_t bits = remember_text(text, where);
    if (auto* function = std::get_if<FunctionFrame>(&frame.body)) {
        Recorded inst{Op::expect, {Scalar::boolean}, bits, {resolve(frame, condition), element_number(*function)}, {}};
        const Handle holds = add_inst(frame, std::move(inst));
        if (statement) add_effect(frame, holds.local);
        return holds;
    }
    if (statement)
        throw UsageError(
            fmt::format("expect: inside {} a check has to belong to a value: write x = expect(c, text, x)", describe(frame)),
            where);
    std::vector<Leaf> operands{program_scalar(condition, "expect", where), make_literal(Scalar::i64, 0, where)};
    return add_scalar(frame, make_scalar_node(Op::expect, Scalar::boolean, bits, operands, where));
}

void debug_print(std::string_view format, const Handle* values, const Scalar* types, std::size_t count, location where) {
    Frame& frame = innermost("debug_print");
    auto* function = std::get_if<FunctionFrame>(&frame.body);
    if (!function)
        throw UsageError(fmt::format("debug_print: inside {} there is no function of elements: write it in one given to "
                                     "map, or print what run returns",
                                     describe(frame)),
                         where);
    if (const std::string bad = bad_debug_format(format, {types, count}); !bad.empty())
        throw UsageError(fmt::format("debug_print: the format does not fit the values: {}", bad), where);
    Recorded inst{Op::debug_print, {Scalar::boolean}, remember_text(format, where), {element_number(*function)}, {}};
    for (std::size_t k = 0; k < count; ++k) inst.operands.push_back(resolve(frame, values[k]));
    add_effect(frame, add_inst(frame, std::move(inst)).local);
}

void forbid_host_read(location where) {
    if (is_tracing()) return;
    throw UsageError(
        "a(i) of a Delayed, and a() of rank 0, are Exps, for functions given to a combinator or to compile; elsewhere "
        "run(a)(i) and run(a).item() are the elements",
        where);
}

Handle read(const LeafRef& array, const Handle* indices, std::size_t rank) {
    Frame& frame = innermost("reading an element of a delayed array");
    Leaf leaf = to_leaf(array, frame.where);
    check(type_of(leaf).shape.size() == rank, "a read has one index per axis");
    if (std::holds_alternative<ProgramFrame>(frame.body)) {
        if (rank == 0) return add_scalar(frame, leaf);
        Gather gather{.indices = {}, .sources = {leaf}};
        for (std::size_t i = 0; i < rank; ++i)
            gather.indices.push_back(program_scalar(indices[i], "reading an element", frame.where));
        return add_scalar(frame, {make_node(std::move(gather), {{type_of(leaf).scalar, {}}}, frame.where, "gather"), 0});
    }
    auto& function = std::get<FunctionFrame>(frame.body);
    if (rank == 0) {
        if (auto* literal = std::get_if<Literal>(&leaf.node->op)) return constant(type_of(leaf).scalar, literal->bits);
        return {frame.serial, capture_scalar(function, leaf)};
    }
    Recorded inst{Op::read, {type_of(leaf).scalar}, capture_array(function, leaf), {}, {}};
    for (std::size_t i = 0; i < rank; ++i) inst.operands.push_back(resolve(frame, indices[i]));
    return add_inst(frame, std::move(inst));
}

void read_once(const LeafRef& array) {
    Frame& frame = innermost("reading an element of a delayed array");
    auto& function = std::get<FunctionFrame>(frame.body);
    function.arrays[capture_array(function, to_leaf(array, frame.where))].once = true;
}

Handle extent(const LeafRef& array, std::int64_t axis, location where) {
    if (!is_tracing())
        throw UsageError(
            "extent(a, k) and size(a) are Exps, for functions given to a combinator or to compile; elsewhere "
            "a.shape()[k] and a.size() are the numbers, of a Delayed after run(a)",
            where);
    Frame& frame = *frames().back();
    Leaf leaf = to_leaf(array, frame.where);
    ExtentSource source = extent_source(leaf, normal_axis(axis, type_of(leaf).shape.size(), "extent", frame.where));
    if (source.literal) return constant(Scalar::i64, static_cast<std::uint64_t>(*source.literal));
    if (std::holds_alternative<ProgramFrame>(frame.body)) {
        if (source.is_scalar) return add_scalar(frame, source.leaf);
        return add_scalar(frame, {make_node(ExtentOf{source.leaf, source.axis}, {{Scalar::i64, {}}}, frame.where), 0});
    }
    auto& function = std::get<FunctionFrame>(frame.body);
    if (source.is_scalar) return {frame.serial, capture_scalar(function, source.leaf)};
    return add_inst(
        frame, {Op::extent, {Scalar::i64}, ir::extent_bits({capture_array(function, source.leaf), source.axis}), {}, {}});
}

LeafRef scalar_leaf(Handle handle, const char* what, location where) { return to_ref(program_scalar(handle, what, where)); }

}  // namespace sinter::detail
