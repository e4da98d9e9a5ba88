// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/lifter.hpp"

#include "opt/cost.hpp"
#include "support/check.hpp"
#include "support/match.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace sinter::enable {

using namespace ir;

bool contains_nest(const Body& body) {
    return std::any_of(body.bindings.begin(), body.bindings.end(), [](const Binding& binding) {
        if (std::holds_alternative<Vmap>(binding.op) || std::holds_alternative<Rows>(binding.op)) return true;
        const std::vector<Body>* bodies = bodies_of(binding.op);
        return bodies != nullptr && std::any_of(bodies->begin(), bodies->end(), contains_nest);
    });
}

bool Lifter::before_renaming(Binding& binding) {
    if (auto* op = std::get_if<Vmap>(&binding.op)) {
        bool innermost = !contains_nest(op->bodies[0]);
        if (innermost) vmap(binding, *op);
        return !innermost;
    }
    if (!extent_.valid()) return true;
    site_ = binding.site;
    name_ = name_of(binding.op);
    Flags flags = batched_.results(binding, old_level());
    refuse_varying_sizes(binding);
    if (auto* loop = std::get_if<Loop>(&binding.op); loop && !loop->changing.empty()) {
        if (any(flags)) refuse("states whose extents change (irregular nesting)");
        batched_.set(old_level(), flags);
        return true;
    }
    if (auto* cond = std::get_if<Cond>(&binding.op)) return lift_cond(*cond, lifted(binding.types, flags), flags), false;
    if (auto* loop = std::get_if<Loop>(&binding.op)) return lift_loop(*loop, lifted(binding.types, flags), flags), false;
    batched_.set(old_level(), flags);
    if (!any(flags)) return lift_extents(binding), true;
    lift(binding, flags);
    return false;
}

/// What all slices share may ask for extents of what they do not.
void Lifter::lift_extents(Binding& binding) {
    auto* map = std::get_if<Map>(&binding.op);
    if (!map) return;
    Relation relation = Relation::keep(map->fn);
    relation.arrays = batched_(map->captures.arrays);
    if (any(relation.arrays)) map->fn = lift_function(map->fn, relation);
}

void Lifter::binding(Binding&& binding) {
    mask_shared(binding.op, binding.types);
    keep(std::move(binding));
}

void Lifter::guard(Guard&& guard) {
    if (extent_.valid() && (varies(guard.left) || varies(guard.right)))
        throw Limitation("vmap: " + guard.message + ": these extents differ from slice to slice", where(guard.site));
    Rebuilder::guard(std::move(guard));
}

/// What all slices share is computed, if it can fail, only where a slice takes part. Operands have new names.
void Lifter::mask_shared(ArrayOp& op, const std::vector<Type>& types) {
    if (!mask_) return;
    if (auto* gather = std::get_if<Gather>(&op)) op = as_map(*gather, types);
    if (auto* scatter = std::get_if<Scatter>(&op)) {
        ValueId wanted = reduce_slices(Op::bit_or, *mask_);
        const Type places{Scalar::boolean, type(scatter->indices[0]).shape};
        if (places.rank() > 0) wanted = emit(View{wanted, Broadcast{}, {}}, {places});
        for (ValueId& index : scatter->indices) index = masked_index(index, scatter->drops.has_value(), wanted);
        scatter->drops = scatter->drops.value_or(0);
    }
    FunctionPart part = function_of(op);
    if (!part || opt::is_speculative(part.fn->body)) return;
    Relation relation = Relation::keep(*part.fn);
    relation.mask = relation.add(Scalar::boolean);
    *part.fn = lift_function(*part.fn, relation);
    part.captures->scalars.push_back(reduce_slices(Op::bit_or, *mask_));
}

/// Reads in a function can be masked.
Map Lifter::as_map(const Gather& gather, const std::vector<Type>& types) {
    std::vector<ArrayParam> arrays;
    for (const Type& type : types) arrays.push_back({type.scalar, gather.indices.size()});
    return {read_all(std::move(arrays)), gather.indices, {{}, gather.sources}, false};
}

void Lifter::vmap(Binding& binding, Vmap& vmap) {
    if (binding.types.empty()) return;
    std::size_t outside = old_level();
    extent_ = rename(binding.types[0].shape[0]);
    batched_.set(outside, Flags(vmap.args.size(), true));
    std::vector<ValueId> args;
    for (ValueId arg : vmap.args) args.push_back(rename(arg));
    define(args);
    std::vector<Operand> results = splice_results(vmap.bodies[0]);
    site_ = binding.site;
    std::vector<ValueId> ids = batched(results, Flags(results.size(), true));
    undefine(outside);
    define(ids);
    extent_ = {};
    batched_ = {};
}

void Lifter::refuse_varying_sizes(const Binding& binding) {
    for_each_size(binding.op, [&](SizeId start) {
        if (varies(start)) refuse("the bounds of a slice differ from slice to slice");
    });
    for (const Type& type : binding.types)
        for (SizeId extent : type.shape)
            if (varies(extent)) refuse("an extent differs from slice to slice (irregular nesting); use a mask");
}

bool Lifter::varies(SizeId old) {
    std::vector<SizeId> stack{old};
    std::unordered_set<std::size_t> seen;
    while (!stack.empty()) {
        SizeId id = stack.back();
        stack.pop_back();
        if (!has_value(id) || !seen.insert(id.index).second) continue;
        const Size& size = sizes()[id];
        if (size.kind == Size::Kind::value && batched_(ValueId(static_cast<std::size_t>(size.index)))) return true;
        if (size.left.valid()) stack.insert(stack.end(), {size.left, size.right});
    }
    return false;
}

void Lifter::refuse(const std::string& what) const { throw Limitation("vmap: " + name_ + ": " + what, where(site_)); }

std::vector<Lifter::Operand> Lifter::splice_results(Body& body) {
    std::vector<ValueId> ids = splice(body);
    std::vector<Operand> results;
    for (std::size_t i = 0; i < ids.size(); ++i) results.push_back({ids[i], batched_(body.results[i])});
    return results;
}

ValueId Lifter::batched(Operand operand) {
    if (operand.batched) return operand.id;
    Broadcast broadcast;
    Type result = type(operand.id);
    broadcast.axes.resize(result.rank());
    std::iota(broadcast.axes.begin(), broadcast.axes.end(), std::size_t{1});
    return emit(View{operand.id, std::move(broadcast)}, {lifted(std::move(result))});
}

std::vector<ValueId> Lifter::batched(const std::vector<ValueId>& old) {
    std::vector<ValueId> ids;
    for (ValueId id : old) ids.push_back(batched(use(id)));
    return ids;
}

std::vector<ValueId> Lifter::batched(const std::vector<Operand>& operands, const Flags& wanted) {
    std::vector<ValueId> ids;
    for (std::size_t i = 0; i < operands.size(); ++i) ids.push_back(wanted[i] ? batched(operands[i]) : operands[i].id);
    return ids;
}

ValueId Lifter::spread(ValueId scalars, const Shape& shape) {
    if (shape.size() == 1) return scalars;
    return emit(View{scalars, Broadcast{{0}}}, {{type(scalars).scalar, shape}});
}

ValueId Lifter::positions(const Shape& shape) {
    return emit(Map{index_fn(shape.size(), 0), {}, {}, true}, {{Scalar::i64, shape}});
}

ValueId Lifter::emit(ArrayOp op, std::vector<Type> types) { return append({std::move(op), std::move(types), site_}); }

ValueId Lifter::constant(Scalar scalar, std::uint64_t bits) {
    return emit(Map{constant_fn(scalar, bits), {}, {}, false}, {{scalar, {}}});
}

ValueId Lifter::apply(Op op, std::vector<ValueId> args, Scalar result) {
    std::vector<Scalar> params;
    for (ValueId arg : args) params.push_back(type(arg).scalar);
    Shape shape = type(args[0]).shape;
    return emit(Map{apply_op(op, params), std::move(args), {}, false}, {{result, std::move(shape)}});
}

ValueId Lifter::select(ValueId condition, ValueId then, ValueId otherwise) {
    Type result = type(then);
    return apply(Op::select, {spread(condition, result.shape), then, otherwise}, result.scalar);
}

ValueId Lifter::where_masked(ValueId condition) {
    return mask_ ? apply(Op::bit_and, {condition, *mask_}, Scalar::boolean) : condition;
}

ValueId Lifter::reduce_slices(Op op, ValueId scalars) {
    Scalar scalar = type(scalars).scalar;
    ValueId zero = constant(scalar, 0);
    return emit(Fold{apply_op(op, {scalar, scalar}), {zero}, {scalars}, {}, {0}, true}, {{scalar, {}}});
}

Type Lifter::lifted(Type type) const {
    type.shape.insert(type.shape.begin(), extent_);
    return type;
}

std::vector<Type> Lifter::lifted(const std::vector<Type>& old, const Flags& flags) {
    std::vector<Type> types;
    for (std::size_t i = 0; i < old.size(); ++i) types.push_back(flags[i] ? lifted(rename(old[i])) : rename(old[i]));
    return types;
}

void Lifter::define_results(const std::vector<ValueId>& ids, const Flags& flags) {
    batched_.set(old_level(), flags);
    define(ids);
}

void Lifter::define_results(ValueId first, const Flags& flags) {
    std::vector<ValueId> ids;
    for (std::size_t i = 0; i < flags.size(); ++i) ids.emplace_back(first.index + i);
    define_results(ids, flags);
}

void Lifter::define_batched(ValueId first, std::size_t count) { define_results(first, Flags(count, true)); }

void Lifter::lift(const Binding& binding, const Flags& flags) {
    std::vector<Type> types;
    if (!binds_sizes(binding.op)) types = lifted(binding.types, flags);
    match(
        binding.op, [&](const Map& op) { lift_map(op, types); }, [&](const Fold& op) { lift_fold(op, types); },
        [&](const Scan& op) { lift_scan(op, types); }, [&](const View& op) { lift_view(op, types); },
        [&](const Gather& op) { lift_gather(op, types, flags); }, [&](const Scatter& op) { lift_scatter(op, types); },
        [&](const Sort& op) { lift_sort(op, types); }, [&](const Force& op) { lift_force(op, flags); },
        [&](const Compact&) {
            name_ = "filter, partition or compact";
            refuse("every slice has a result of its own size (irregular nesting); use a mask");
        },
        [&](const Foreign&) { refuse("the arguments of a foreign function differ from slice to slice"); },
        [](const Cond&) { fail_check("lifted before", location::current()); },
        [](const Loop&) { fail_check("lifted before", location::current()); },
        [](const Vmap&) { fail_check("lifted before", location::current()); },
        [](const Rows&) { fail_check("interchanged before", location::current()); });
}

}  // namespace sinter::enable
