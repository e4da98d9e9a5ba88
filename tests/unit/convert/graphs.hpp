// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Graphs for tests, built node by node; functions are given in the text form.
#pragma once

#include "convert/convert.hpp"
#include "front/graph.hpp"
#include "ir/text/parse.hpp"
#include "ir/text/print.hpp"
#include "ir/verify/verify.hpp"
#include "support/buffer.hpp"

#include <memory>
#include <string>
#include <vector>

namespace graphs {

using namespace sinter;
using detail::Scalar;
using front::Extent;
using front::Leaf;
using front::NodeRef;
using front::SizeOperand;

using Extents = std::vector<Extent>;
using Leaves = std::vector<Leaf>;

inline const std::vector<Extent>& shape_of(const Leaf& leaf) { return front::type_of(leaf).shape; }

inline Leaf node(front::NodeOp op, Scalar scalar, Extents shape, location where = location::current()) {
    return {front::make_node(std::move(op), {{scalar, std::move(shape)}}, where), 0};
}

inline BufferRef buffer() { return std::make_shared<Buffer>(); }
inline Leaf input(Extents shape, Scalar scalar = Scalar::f32, BufferRef b = buffer()) {
    return node(front::Input{std::move(b)}, scalar, std::move(shape));
}
inline Leaf parameter(Scalar scalar = Scalar::f32, Extents shape = {}, std::uint32_t position = 0) {
    return node(front::Parameter{position}, scalar, std::move(shape));
}
inline Leaf literal(Scalar scalar, std::uint64_t bits) { return node(front::Literal{bits}, scalar, {}); }
inline Leaf extent(Leaf array, std::size_t axis) { return node(front::ExtentOf{std::move(array), axis}, Scalar::i64, {}); }

inline Leaf map(const char* fn, Leaves args, front::Captures captures = {}, location where = location::current()) {
    ir::Fn parsed = ir::parse_fn(fn);
    Scalar scalar = ir::result_types(parsed)[0];
    Extents shape = shape_of(args[0]);
    return node(front::Map{std::move(parsed), std::move(args), std::move(captures), false, {}}, scalar, shape, where);
}
inline Leaf generate(const char* fn, std::vector<SizeOperand> shape, Extents known, front::Captures captures = {}) {
    ir::Fn parsed = ir::parse_fn(fn);
    Scalar scalar = ir::result_types(parsed)[0];
    return node(front::Map{std::move(parsed), {}, std::move(captures), !shape.empty(), shape}, scalar, std::move(known));
}
inline Leaf iota(SizeOperand size, Extent known = front::unknown) { return generate("{x0: i64 -> x0}", {size}, {known}); }

inline const char* const add_f32 = "{x0: f32, x1: f32 -> x2 = add x0 x1; x2}";
inline const char* const mul_f32 = "{x0: f32, x1: f32 -> x2 = mul x0 x1; x2}";
inline Leaf operator+(const Leaf& a, const Leaf& b) { return map(add_f32, {a, b}); }
inline Leaf operator*(const Leaf& a, const Leaf& b) { return map(mul_f32, {a, b}); }
inline Leaf negate(const Leaf& a) { return map("{x0: f32 -> x1 = negate x0; x1}", {a}); }
inline Leaf divide(const Leaf& a, const Leaf& b) { return map("{x0: i64, x1: i64 -> x2 = div x0 x1; x2}", {a, b}); }

inline Leaf sum(const Leaf& a, std::size_t axis = 0) {
    Extents shape = shape_of(a);
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
    return node(front::Fold{ir::parse_fn(add_f32), {literal(Scalar::f32, 0)}, {a}, {}, {axis}, true}, Scalar::f32, shape);
}
inline Leaf slice(const Leaf& a, SizeOperand start, SizeOperand size, std::int64_t step = 1) {
    auto* known = std::get_if<std::int64_t>(&size);
    return node(front::Slice{a, {start}, {size}, {step}}, front::type_of(a).scalar, {known ? *known : front::unknown});
}

inline Leaf cond(Leaf condition, const Leaf& then, const Leaf& otherwise) {
    auto type = front::type_of(then);
    return node(front::Cond{std::move(condition), {{}, {then}}, {{}, {otherwise}}}, type.scalar, type.shape);
}
/// A loop of one state, whose parameter `state` is.
inline Leaf for_loop(Leaf count, Leaf init, const Leaf& index, const Leaf& state, const Leaf& next) {
    auto type = front::type_of(init);
    front::Scope body{{index.node, state.node}, {next}};
    return node(front::Loop{true, std::move(count), {std::move(init)}, {}, std::move(body)}, type.scalar, type.shape);
}
inline Leaf while_loop(Leaf init, const Leaf& tested, const Leaf& condition, const Leaf& state, const Leaf& next) {
    auto type = front::type_of(init);
    front::Scope test{{tested.node}, {condition}}, body{{state.node}, {next}};
    return node(front::Loop{false, {}, {std::move(init)}, std::move(test), std::move(body)}, type.scalar, type.shape);
}

/// Converts and verifies.
inline convert::Result converted(const Leaves& roots, const std::vector<NodeRef>& parameters = {}, bool lift = false) {
    convert::Result result = convert::convert(roots, parameters, {.lift_literals = lift});
    ir::verify(result.program);
    return result;
}
inline std::string text(const Leaves& roots, const std::vector<NodeRef>& parameters = {}, bool lift = false) {
    return ir::print(converted(roots, parameters, lift).program);
}

}  // namespace graphs
