// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/lift/lifter.hpp"

#include "enable/flatten/flatten_rules.hpp"
#include "enable/lift/first_failure.hpp"
#include "enable/lift/lift_rules.hpp"
#include "enable/slices/lift_function.hpp"
#include "enable/slices/nests.hpp"
#include "enable/slices/outer_slice.hpp"
#include "ir/joined.hpp"
#include "support/check.hpp"
#include "support/match.hpp"

namespace sinter::enable {

using namespace ir;

bool Lifter::before_renaming(Binding& binding) {
    if (auto* op = std::get_if<Vmap>(&binding.op)) {
        bool innermost = !contains_nest(op->bodies[0]);
        if (innermost) vmap(binding, *op);
        return !innermost;
    }
    if (!extent().valid()) return true;
    begin_binding(binding);
    if (flats_.concerns(binding)) return flatten(binding), false;
    const Flags batched = flags().results(binding, old_level());
    refuse_varying_sizes(binding);
    if (auto* loop = std::get_if<Loop>(&binding.op); loop && !loop->changing.empty()) {
        if (any(batched)) refuse("states whose extents change (irregular nesting)");
        flags().set(old_level(), batched);
        return true;
    }
    if (auto* cond = std::get_if<Cond>(&binding.op))
        return lift_cond(*this, *cond, lifted(binding.types, batched), batched), false;
    if (auto* loop = std::get_if<Loop>(&binding.op))
        return lift_loop(*this, *loop, lifted(binding.types, batched), batched), false;
    flags().set(old_level(), batched);
    if (auto* custom = std::get_if<Custom>(&binding.op); custom && any(batched))
        return lift_custom(flats_, *custom, lifted(binding.types, batched)), false;
    if (!any(batched)) return lift_extents(binding), true;
    lift(binding, batched);
    return false;
}

/// Operations that all slices share may ask for extents of arrays that they do not share.
void Lifter::lift_extents(Binding& binding) {
    auto* map = std::get_if<Map>(&binding.op);
    if (!map) return;
    Relation relation = Relation::keep(map->fn);
    relation.arrays = is_batched()(map->captures.arrays);
    if (any(relation.arrays)) map->fn = lift_function(map->fn, relation);
}

void Lifter::binding(Binding&& binding) {
    mask_shared(*this, binding.op, binding.types);
    const Folds folds = flats_.folds();
    if (std::holds_alternative<Derivative>(binding.op))
        flats_.set_folds(Folds::scans);
    else if (std::holds_alternative<Vmap>(binding.op) && folds == Folds::pieces)
        flats_.set_folds(Folds::loops);
    keep(std::move(binding));
    flats_.set_folds(folds);
}

/// One guard for all slices that take part: it compares the sizes of the first slice in which they differ.
void Lifter::guard(Guard&& guard) {
    if (!extent().valid() || (!varies(guard.left) && !varies(guard.right))) return Rebuilder::guard(std::move(guard));
    const Size bound = sizes()[guard.left];
    // max(x, right) = right says that x does not exceed right; so does the message.
    const bool at_most = bound.kind == Size::Kind::maximum && (bound.left == guard.right || bound.right == guard.right);
    const SizeId less = !at_most ? guard.left : bound.left == guard.right ? bound.right : bound.left;
    const ValueId left = batched(scalar(less)), right = batched(scalar(guard.right));
    const ValueId first = first_failure(*this, left, right, at_most);
    const SizeId a = sizes().value(first), b = sizes().value(ValueId(first.index + 1));
    add_guard({at_most ? sizes().maximum(a, b) : a, b, guard.site, std::move(guard.message)});
}

void Lifter::vmap(Binding& binding, Vmap& vmap) {
    if (binding.types.empty()) return;
    std::size_t outside = old_level();
    begin_vmap(rename(binding.types[is_joined(binding.types) ? 1 : 0].shape[0]));
    flags().set(outside, Flags(vmap.args.size(), true));
    std::vector<ValueId> args;
    for (ValueId arg : vmap.args) args.push_back(rename(arg));
    define(args);
    const Flats::Scope scope(flats_);
    flats_.count_uses(vmap.bodies[0]);
    std::vector<ValueId> ids;
    if (is_joined(binding.types)) {
        write_known(vmap.bodies[0].guards);
        write(vmap.bodies[0].bindings);
        begin_binding(binding);
        ids = flats_.joined(vmap.bodies[0].results);
        write(vmap.bodies[0].guards);
    } else {
        const std::vector<Operand> results = splice_results(vmap.bodies[0]);
        begin_binding(binding);
        ids = batched(results, Flags(results.size(), true));
    }
    undefine(outside);
    define(ids);
    if (is_joined(binding.types)) {
        // A guard may have given the number of elements another name.
        const auto emitter = [this](ArrayOp op, std::vector<Type> types) { return emit(std::move(op), std::move(types)); };
        for (std::size_t k = 2; k < ids.size(); ++k)
            ids[k] = with_type(emitter, ids[k], type(ids[k]), rename(binding.types[k]));
        undefine(outside);
        define(ids);
    }
    end_vmap();
}

void Lifter::refuse_varying_sizes(const Binding& binding) {
    for (const Type& type : binding.types)
        for (SizeId extent : type.shape)
            if (varies(extent))
                refuse("an extent differs from slice to slice (irregular nesting); use vmap(ragged, f, a), or a mask");
}

/// irregular_loops() has left no vmap with other operations.
void Lifter::flatten(Binding& binding) {
    const Types& types = binding.types;
    match(
        binding.op, [&](const Map& op) { flatten_map(flats_, op, types); },
        [&](const Fold& op) { flatten_fold(flats_, op, types); }, [&](const View& op) { flatten_view(flats_, op, types); },
        [&](const Gather& op) { flatten_gather(flats_, op, types); },
        [&](const Force& op) { flatten_force(flats_, op, types); }, [&](const Scan& op) { flatten_scan(flats_, op, types); },
        [&](const Sort& op) { flatten_sort(flats_, op, types); },
        [&](const Compact& op) { flatten_compact(flats_, op, types); },
        [&](const Scatter& op) { flatten_scatter(flats_, op, types); }, [&](Loop& op) { flatten_loop(flats_, op, types); },
        [&](Cond& op) { flatten_cond(flats_, op, types); },
        [&](const auto&) {
            refuse("an extent differs from slice to slice (irregular nesting); use vmap(ragged, f, a), or a mask");
        });
}

void Lifter::lift(const Binding& binding, const Flags& batched) {
    std::vector<Type> types;
    if (!binds_sizes(binding.op)) types = lifted(binding.types, batched);
    match(
        binding.op, [&](const Map& op) { lift_map(*this, op, types); }, [&](const Fold& op) { lift_fold(*this, op, types); },
        [&](const Scan& op) { lift_scan(*this, op, types); }, [&](const View& op) { lift_view(*this, op, types); },
        [&](const Gather& op) { lift_gather(*this, op, types, batched); },
        [&](const Scatter& op) { lift_scatter(*this, op, types); }, [&](const Sort& op) { lift_sort(*this, op, types); },
        [&](const Force& op) { lift_force(*this, op, batched); },
        [&](const Compact&) {
            refuse("filter, partition or compact",
                   "every slice has a result of its own size (irregular nesting); use vmap(ragged, f, a), or a mask");
        },
        [&](const Foreign&) { refuse("the arguments of a foreign function differ from slice to slice"); },
        [](const Cond&) { fail_check("lifted before", location::current()); },
        [](const Loop&) { fail_check("lifted before", location::current()); },
        [](const Vmap&) { fail_check("lifted before", location::current()); },
        [](const Rows&) { fail_check("interchanged before", location::current()); },
        [](const Custom&) { fail_check("lifted before", location::current()); },
        [](const Derivative&) { fail_check("differentiated before", location::current()); });
}

}  // namespace sinter::enable
