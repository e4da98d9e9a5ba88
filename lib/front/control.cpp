// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow: instructions with blocks in functions, nodes with scopes in programs.
#include <sinter/detail/control.hpp>
#include <sinter/detail/joined.hpp>

#include "front/shape.hpp"
#include "support/check.hpp"

#include <fmt/format.h>

namespace sinter::front {
namespace {

/// The function frame that the innermost control operation belongs to; null in a program.
Frame* control_function() {
    const ControlFrame& control = controls().back();
    if (control.frames == 0) return nullptr;
    Frame* frame = frames()[control.frames - 1].get();
    return std::holds_alternative<FunctionFrame>(frame->body) ? frame : nullptr;
}

LeafRef add_parameter(const LeafType& type) {
    Frame& frame = *frames().back();
    auto& program = std::get<ProgramFrame>(frame.body);
    auto position = static_cast<std::uint32_t>(program.params.size());
    program.params.push_back(make_node(Parameter{position}, {type}, frame.where));
    return to_ref({program.params.back(), 0});
}

void close_innermost_scope(std::vector<Leaf> results) {
    Frame& frame = *frames().back();
    auto& program = std::get<ProgramFrame>(frame.body);
    controls().back().scopes.push_back({std::move(program.params), std::move(results)});
    detail::close_trace(frame.serial);
}

/// The extents that are known whichever side is taken.
std::vector<Extent> shape_of_either(const Leaf& a, const Leaf& b) {
    std::vector<Extent> shape = type_of(a).shape;
    for (std::size_t k = 0; k < shape.size(); ++k)
        if (shape[k] != type_of(b).shape[k]) shape[k] = unknown;
    return shape;
}

NodeRef make_cond(Leaf condition, std::vector<Scope> scopes, location where) {
    check(scopes[0].results.size() == scopes[1].results.size(), "as many results on both sides");
    std::vector<LeafType> types;
    for (std::size_t i = 0; i < scopes[0].results.size(); ++i) {
        const Leaf &a = scopes[0].results[i], &b = scopes[1].results[i];
        check(type_of(a).scalar == type_of(b).scalar, "both sides of cond have one type");
        types.push_back({type_of(a).scalar, shape_of_either(a, b)});
    }
    return make_node(Cond{std::move(condition), std::move(scopes[0]), std::move(scopes[1])}, std::move(types), where);
}

/// What is known about a state of the innermost loop in every iteration.
LeafType state_type(const Leaf& init, std::size_t state) {
    LeafType type = type_of(init);
    const auto& changing = controls().back().changing;
    for (std::size_t k = 0; k < type.shape.size(); ++k)
        if (state < changing.size() && changing[state][k]) type.shape[k] = unknown;
    return type;
}

/// scopes: {condition, body} of a while_loop, {body} of a for_loop.
NodeRef make_loop(bool counted, Leaf count, std::vector<Leaf> inits, std::vector<Scope> scopes, location where) {
    check(scopes.back().results.size() == inits.size(), "as many states as initial values");
    std::vector<LeafType> types;
    for (std::size_t k = 0; k < inits.size(); ++k) types.push_back(state_type(inits[k], k));
    Loop loop{counted, std::move(count), std::move(inits), {}, std::move(scopes.back())};
    if (!counted) loop.condition = std::move(scopes[0]);
    return make_node(std::move(loop), std::move(types), where);
}

location control_place() {
    const ControlFrame& control = controls().back();
    return control.where.line() == 0 && control.frames > 0 ? frames()[control.frames - 1]->where : control.where;
}

NodeRef make_control(Op op, Leaf first, std::vector<Leaf> inits) {
    location where = control_place();
    std::vector<Scope> scopes = std::move(controls().back().scopes);
    if (op == Op::cond) return make_cond(std::move(first), std::move(scopes), where);
    return make_loop(op == Op::for_loop, std::move(first), std::move(inits), std::move(scopes), where);
}

}  // namespace
}  // namespace sinter::front

namespace sinter::detail {

using namespace sinter::front;

std::size_t open_control(const char* name, location where) {
    std::size_t blocks = 0;
    if (!frames().empty())
        if (auto* function = std::get_if<FunctionFrame>(&frames().back()->body)) blocks = function->open.size();
    controls().push_back({name, where, frames().size(), blocks, {}, {}});
    return controls().size() - 1;
}

void close_control(std::size_t token) noexcept {
    const ControlFrame& control = controls()[token];
    if (frames().size() > control.frames) close_trace(frames()[control.frames]->serial);
    if (control.frames > 0 && frames().size() == control.frames)
        if (auto* function = std::get_if<FunctionFrame>(&frames().back()->body))
            while (function->open.size() > control.blocks) function->open.pop_back();
    controls().erase(controls().begin() + static_cast<std::ptrdiff_t>(token), controls().end());
    trim_stacks();
}

void open_block(const Scalar* parameters, std::size_t count, Handle* out) {
    Frame& frame = innermost(controls().back().name);
    if (auto* function = std::get_if<FunctionFrame>(&frame.body)) {
        open_recorded_block(*function);
        for (std::size_t i = 0; i < count; ++i) out[i] = {frame.serial, add_value(*function, parameters[i])};
        return;
    }
    open_scope();
    for (std::size_t i = 0; i < count; ++i) {
        LeafRef parameter = add_parameter({parameters[i], {}});
        out[i] = add_scalar(*frames().back(), to_leaf(parameter));
    }
}

void close_block(const Handle* results, std::size_t count) {
    Frame& frame = *frames().back();
    if (auto* function = std::get_if<FunctionFrame>(&frame.body)) {
        std::vector<ValueNumber> values;
        for (std::size_t i = 0; i < count; ++i) values.push_back(resolve(frame, results[i]));
        values = after_effects(frame, std::move(values));
        RecordedBlock block = std::move(function->open.back());
        function->open.pop_back();
        block.results = std::move(values);
        controls().back().recorded.push_back(std::move(block));
        return;
    }
    std::vector<Leaf> leaves;
    for (std::size_t i = 0; i < count; ++i)
        leaves.push_back(program_scalar(results[i], controls().back().name, frame.where));
    close_innermost_scope(std::move(leaves));
}

void end_control(Op op, const Handle* operands, std::size_t operand_count, const Scalar* types, std::size_t count,
                 Handle* out) {
    ControlFrame& control = controls().back();
    if (Frame* frame = control_function()) {
        Recorded inst{op, {types, types + count}, 0, {}, std::move(control.recorded)};
        for (std::size_t i = 0; i < operand_count; ++i) inst.operands.push_back(resolve(*frame, operands[i]));
        Handle first = add_inst(*frame, std::move(inst));
        for (std::size_t i = 0; i < count; ++i) out[i] = {first.trace, first.local + static_cast<std::uint32_t>(i)};
        return;
    }
    std::vector<Leaf> leaves;
    for (std::size_t i = 0; i < operand_count; ++i)
        leaves.push_back(program_scalar(operands[i], control.name, control_place()));
    Leaf first;
    if (op != Op::while_loop) {
        first = leaves[0];
        leaves.erase(leaves.begin());
    }
    NodeRef node = make_control(op, std::move(first), std::move(leaves));
    for (std::size_t i = 0; i < count; ++i) out[i] = add_scalar(*frames().back(), {node, static_cast<std::uint32_t>(i)});
}

void open_scope() {
    const ControlFrame& control = controls().back();
    if (control_function()) innermost_program(control.name, control_place());  // throws: there is an array inside a function
    push_frame(control.name, control_place(), ProgramFrame{});
}

LeafRef scope_parameter(const LeafRef& like) { return add_parameter(type_of(to_leaf(like))); }

LeafRef state_parameter(const LeafRef* inits, std::size_t state) {
    return add_parameter(state_type(to_leaf(inits[state]), state));
}

bool states_fit(const LeafRef* inits, std::size_t count) {
    ControlFrame& control = controls().back();
    const std::vector<Leaf>& results = control.scopes.back().results;
    check(results.size() == count, "as many states as initial values");
    auto changing = control.changing;
    changing.resize(count);
    bool fit = true;
    for (std::size_t state = 0; state < count; ++state) {
        const auto known = state_type(to_leaf(inits[state]), state).shape, &next = type_of(results[state]).shape;
        changing[state].resize(known.size());
        for (std::size_t k = 0; k < known.size(); ++k)
            if (known[k] != unknown && next[k] != known[k]) changing[state][k] = true, fit = false;
    }
    if (fit) return true;
    control.changing = std::move(changing);
    control.scopes.clear();
    return false;
}

LeafRef slice_parameter(const LeafRef& like) {
    const Leaf leaf = to_leaf(like);
    LeafType type = type_of(leaf);
    for (std::size_t k = 1; k < type.shape.size(); ++k) type.shape[k] = number_of_extent(leaf, k, leaf.node->where);
    type.shape.erase(type.shape.begin());
    return add_parameter(type);
}

void close_scope(const LeafRef* results, std::size_t count) {
    close_innermost_scope(to_leaves(results, count, frames().back()->where));
}

void end_scopes(Op op, const LeafRef& first, const LeafRef* inits, std::size_t count, LeafRef* out) {
    location where = control_place();
    Leaf condition_or_count = op == Op::while_loop ? Leaf() : to_leaf(first, where);
    write_results(make_control(op, std::move(condition_or_count),
                               op == Op::cond ? std::vector<Leaf>() : to_leaves(inits, count, where)),
                  out);
}

void end_joined_vmap(const LeafRef* args, std::size_t count, LeafRef* out) {
    const location where = control_place();
    Vmap vmap{to_leaves(args, count, where), std::move(controls().back().scopes[0])};
    std::vector<LeafType> types{{Scalar::i64, {}}, {Scalar::i64, {type_of(vmap.args[0]).shape[0]}}};
    for (const Leaf& result : vmap.body.results) types.push_back({type_of(result).scalar, {unknown}});
    write_results(make_node(std::move(vmap), std::move(types), where), out);
}

void end_vmap(const LeafRef* args, std::size_t count, LeafRef* out) {
    location where = control_place();
    Vmap vmap{to_leaves(args, count, where), std::move(controls().back().scopes[0])};
    Extent outer = unknown;
    for (const Leaf& arg : vmap.args)
        if (outer == unknown) outer = type_of(arg).shape[0];
    std::vector<LeafType> types;
    for (const Leaf& result : vmap.body.results) {
        LeafType type{type_of(result).scalar, {outer}};
        for (std::size_t k = 0; k < type_of(result).shape.size(); ++k)
            type.shape.push_back(number_of_extent(result, k, where));
        types.push_back(std::move(type));
    }
    write_results(make_node(std::move(vmap), std::move(types), where), out);
}

void end_rows(const RowsKind& kind, const LeafRef* inits, const LeafRef* args, std::size_t count, LeafRef* out) {
    location where = control_place();
    const ir::Rows::Kind kinds[] = {ir::Rows::Kind::fold, ir::Rows::Kind::inclusive, ir::Rows::Kind::exclusive};
    Rows rows{kinds[kind.scan ? 1 + kind.exclusive : 0], kind.reverse, to_leaves(inits, count, where),
              to_leaves(args, count, where), std::move(controls().back().scopes[0])};
    std::vector<LeafType> types;
    for (const Leaf& like : kind.scan ? rows.args : rows.inits) types.push_back(type_of(like));
    write_results(make_node(std::move(rows), std::move(types), where), out);
}

}  // namespace sinter::detail
