// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives: for arrays, nodes whose body is a scope; for scalars in a function, instructions that are made at once.
#include <sinter/detail/control.hpp>

#include "front/frame.hpp"
#include "front/shape.hpp"
#include "ir/builder.hpp"
#include "ir/derivative/dual_function.hpp"
#include "support/check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::front {
namespace {

/// {x -> 0}, as an array like `leaf`.
Leaf zeros_like(const Leaf& leaf, location where) {
    const LeafType& type = type_of(leaf);
    if (type.shape.empty()) return make_literal(type.scalar, 0, where);
    ir::BlockBuilder builder;
    builder.open({type.scalar});
    const ir::Local zero = builder.constant(type.scalar, 0);
    Map map{.fn = {{}, builder.close({zero})}, .args = {leaf}, .captures = {}, .indexed = false, .shape = {}};
    return {make_node(std::move(map), {type}, where), 0};
}

bool is_float(const Leaf& leaf) { return detail::is_float(type_of(leaf).scalar); }

/// Scopes that return extents nobody knows outside would do so here, too.
NodeRef make_derivative(bool forward, std::vector<Leaf> args, std::vector<std::size_t> by, std::vector<Leaf> seeds,
                        Scope body, location where) {
    std::vector<LeafType> types, derivatives;
    for (const Leaf& result : body.results) {
        types.push_back(type_of(result));
        if (forward && is_float(result)) derivatives.push_back(type_of(result));
    }
    if (!forward)
        for (std::size_t k : by) derivatives.push_back(type_of(args[k]));
    types.insert(types.end(), derivatives.begin(), derivatives.end());
    const auto mode = forward ? ir::Derivative::Mode::forward : ir::Derivative::Mode::reverse;
    return make_node(Derivative{mode, std::move(args), std::move(by), std::move(seeds), std::move(body)}, std::move(types),
                     where);
}

struct Made {
    std::vector<Leaf> values, derivatives;
};

/// `seed(k)` is the seed of argument k (forward) or of result k (reverse).
template <class Seed>
Made derive(const detail::DerivativeOf& of, std::vector<Leaf> args, Seed seed, Scope body, location where) {
    std::vector<std::size_t> by;
    std::vector<Leaf> seeds;
    for (std::size_t k = 0, next = 0; k < of.count; ++k) {
        if (!of.by[k]) continue;
        const std::size_t at = next++;
        if (!is_float(args[k])) continue;
        by.push_back(k);
        if (of.forward) seeds.push_back(seed(at));
    }
    const std::size_t count = body.results.size();
    if (!of.forward)
        for (std::size_t k = 0; k < count; ++k)
            if (is_float(body.results[k])) seeds.push_back(seed(k));
    const NodeRef node = make_derivative(of.forward, args, by, std::move(seeds), std::move(body), where);
    Made made;
    std::uint32_t next = 0;
    for (; next < count; ++next) made.values.push_back({node, next});
    auto derivative = [&](const Leaf& of_leaf) {
        made.derivatives.push_back(is_float(of_leaf) ? Leaf{node, next++} : zeros_like(of_leaf, where));
    };
    if (of.forward)
        for (std::size_t k = 0; k < count; ++k) derivative(made.values[k]);
    else
        for (std::size_t k = 0; k < of.count; ++k)
            if (of.by[k]) derivative(args[k]);
    return made;
}

location place_of_control() {
    const ControlFrame& control = controls().back();
    return control.where.line() == 0 && control.frames > 0 ? frames()[control.frames - 1]->where : control.where;
}

/// A block of a function, differentiated along one direction after another.
class BlockDerivative {
  public:
    BlockDerivative(Frame& frame, const RecordedBlock& block, std::vector<ValueNumber> args)
        : frame_(frame), function_(std::get<FunctionFrame>(frame.body)), args_(std::move(args)) {
        fn_ = closed_block(function_, block, outer_);
        results_ = fn_.body.results.size();
    }

    std::size_t results() const { return results_; }
    std::vector<ValueNumber> values() { return record_inlined(frame_, fn_, with_outer(args_)); }

    /// The tangents of all results, given those of the arguments; nothing means zero. For results that are not
    /// floating-point: 0.
    std::vector<ValueNumber> tangents(const std::vector<std::optional<ValueNumber>>& seeds) {
        ir::derivative::DualPlaces places;
        std::vector<ValueNumber> arguments = with_outer(args_);
        for (ValueNumber value : arguments) places.primal.push_back(places.add(function_.values[value].type));
        places.tangents.resize(arguments.size());
        for (std::size_t k = 0; k < seeds.size(); ++k)
            if (seeds[k]) {
                places.tangents[k] = places.add(function_.values[*seeds[k]].type);
                arguments.push_back(*seeds[k]);
            }
        places.arrays = fn_.arrays;
        places.slots.resize(fn_.arrays.size());
        const ir::derivative::Dual dual = ir::derivative::dual_function(fn_, places, true);
        const std::vector<ValueNumber> made = record_inlined(frame_, dual.fn, arguments);
        std::vector<ValueNumber> derived;
        std::size_t next = results_;
        for (std::size_t k = 0; k < results_; ++k)
            derived.push_back(dual.varied[k] ? made[next++] : constant(function_.values[made[k]].type, 0));
        return derived;
    }

    ValueNumber constant(Scalar type, double value) {
        ir::BlockBuilder builder;
        builder.open({});
        const ir::Local number = detail::is_float(type) ? ir::derivative::Terms(builder).number(type, value)
                                                        : builder.constant(type, static_cast<std::uint64_t>(value));
        return record_inlined(frame_, {{}, builder.close({number})}, {})[0];
    }
    ValueNumber apply(Op op, ValueNumber a, ValueNumber b) {
        return add_inst(frame_, {op, {function_.values[a].type}, 0, {a, b}, {}}).local;
    }
    Scalar type(ValueNumber value) const { return function_.values[value].type; }

  private:
    std::vector<ValueNumber> with_outer(std::vector<ValueNumber> values) const {
        values.insert(values.end(), outer_.begin(), outer_.end());
        return values;
    }

    Frame& frame_;
    FunctionFrame& function_;
    std::vector<ValueNumber> args_, outer_;
    ir::Fn fn_;
    std::size_t results_ = 0;
};

/// Reverse mode of scalars is forward mode for each argument, of which there are few.
void derive_block(const detail::DerivativeOf& of, Frame& frame, const Handle* args, const Handle* seeds, Handle* values,
                  Handle* derivatives) {
    std::vector<ValueNumber> arguments;
    for (std::size_t k = 0; k < of.count; ++k) arguments.push_back(resolve(frame, args[k]));
    BlockDerivative block(frame, controls().back().recorded[0], arguments);
    const std::vector<ValueNumber> results = block.values();
    auto handle = [&](ValueNumber value) { return Handle{frame.serial, value}; };
    for (ValueNumber result : results) *values++ = handle(result);
    std::vector<std::optional<ValueNumber>> directions(of.count);
    if (of.forward) {
        for (std::size_t k = 0, next = 0; k < of.count; ++k) {
            if (!of.by[k]) continue;
            const ValueNumber seed = resolve(frame, seeds[next++]);
            if (detail::is_float(block.type(arguments[k]))) directions[k] = seed;
        }
        for (ValueNumber tangent : block.tangents(directions)) *derivatives++ = handle(tangent);
        return;
    }
    for (std::size_t k = 0; k < of.count; ++k) {
        if (!of.by[k]) continue;
        const Scalar type = block.type(arguments[k]);
        ValueNumber sum = block.constant(type, 0);
        if (detail::is_float(type)) {
            directions.assign(of.count, std::nullopt);
            directions[k] = block.constant(type, 1);
            const std::vector<ValueNumber> tangents = block.tangents(directions);
            for (std::size_t r = 0; r < tangents.size(); ++r) {
                if (!detail::is_float(block.type(tangents[r]))) continue;
                ValueNumber part = block.apply(Op::mul, resolve(frame, seeds[r]), tangents[r]);
                if (block.type(part) != type) part = add_inst(frame, {Op::cast, {type}, 0, {part}, {}}).local;
                sum = block.apply(Op::add, sum, part);
            }
        }
        *derivatives++ = handle(sum);
    }
}

/// The rule's results have the types of those leaves of `like` that are floating-point; others are dropped.
void check_rule(Scope& rule, const std::vector<Leaf>& like, const char* name, location where) {
    std::vector<Leaf> kept;
    for (const Leaf& result : rule.results)
        if (is_float(result)) kept.push_back(result);
    rule.results = std::move(kept);
    std::size_t next = 0;
    for (const Leaf& leaf : like) {
        if (!is_float(leaf)) continue;
        const Leaf& made = rule.results[next++];
        const auto &shape = type_of(made).shape, &expected = type_of(leaf).shape;
        for (std::size_t k = 0; k < shape.size(); ++k)
            if (shape[k] != unknown && expected[k] != unknown && shape[k] != expected[k])
                throw ShapeError(
                    fmt::format("{}: the rule returns {} for {}", name, describe_shape(made), describe_shape(leaf)), where);
    }
}

NodeRef make_custom(ir::Custom::Kind kind, std::vector<Leaf> args, const char* name, location where) {
    std::vector<Scope> scopes = std::move(controls().back().scopes);
    if (kind == ir::Custom::Kind::checkpoint)
        scopes.emplace_back();
    else
        check_rule(scopes[1], kind == ir::Custom::Kind::jvp ? scopes[0].results : args, name, where);
    std::vector<LeafType> types;
    for (const Leaf& result : scopes[0].results) types.push_back(type_of(result));
    return make_node(Custom{kind, std::move(args), std::move(scopes[0]), std::move(scopes[1])}, std::move(types), where);
}

}  // namespace
}  // namespace sinter::front

namespace sinter::detail {

using namespace sinter::front;

void open_derivative_scope() {
    controls().back().is_derivative = true;
    open_scope();
}

bool in_derivative() noexcept {
    const auto& open = controls();
    return std::any_of(open.begin(), open.end(), [](const ControlFrame& control) { return control.is_derivative; });
}

void end_derivative(const DerivativeOf& of, const LeafRef* args, const LeafRef* seeds, LeafRef* values,
                    LeafRef* derivatives) {
    const location where = place_of_control();
    auto seed = [&](std::size_t k) { return to_leaf(seeds[k], where); };
    Made made = derive(of, to_leaves(args, of.count, where), seed, std::move(controls().back().scopes[0]), where);
    for (Leaf& leaf : made.values) *values++ = to_ref(std::move(leaf));
    for (Leaf& leaf : made.derivatives) *derivatives++ = to_ref(std::move(leaf));
}

void end_scalar_derivative(const DerivativeOf& of, const Handle* args, const Handle* seeds, Handle* values,
                           Handle* derivatives) {
    const location where = place_of_control();
    Frame& frame = *frames().back();
    if (std::holds_alternative<FunctionFrame>(frame.body)) return derive_block(of, frame, args, seeds, values, derivatives);
    const char* name = controls().back().name;
    std::vector<Leaf> leaves;
    for (std::size_t k = 0; k < of.count; ++k) leaves.push_back(program_scalar(args[k], name, where));
    auto seed = [&](std::size_t k) { return program_scalar(seeds[k], name, where); };
    Made made = derive(of, std::move(leaves), seed, std::move(controls().back().scopes[0]), where);
    for (Leaf& leaf : made.values) *values++ = add_scalar(frame, std::move(leaf));
    for (Leaf& leaf : made.derivatives) *derivatives++ = add_scalar(frame, std::move(leaf));
}

void require_program(const char* name, location where) {
    if (!frames().empty() && std::holds_alternative<FunctionFrame>(frames().back()->body))
        throw Limitation(fmt::format("{}: in {}: apply it to arrays instead", name, describe(*frames().back())), where);
}

void end_custom(CustomKind kind, const LeafRef* args, std::size_t count, LeafRef* out) {
    const location where = place_of_control();
    write_results(
        make_custom(static_cast<ir::Custom::Kind>(kind), to_leaves(args, count, where), controls().back().name, where), out);
}

std::int64_t known_count(const LeafRef& array) {
    const Leaf leaf = to_leaf(array);
    std::int64_t count = 1;
    for (std::size_t k = 0; k < type_of(leaf).shape.size(); ++k) {
        const Extent extent = number_of_extent(leaf, k, leaf.node->where);
        if (extent == unknown) return -1;
        count *= extent;
    }
    return count;
}

}  // namespace sinter::detail
