// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "enable/lift/lifter.hpp"

#include "enable/flatten/flatten_rules.hpp"
#include "enable/lift/lift_rules.hpp"
#include "enable/slices/lift_function.hpp"
#include "enable/slices/nests.hpp"
#include "enable/slices/outer_slice.hpp"
#include "ir/builder.hpp"
#include "ir/joined.hpp"
#include "support/check.hpp"
#include "support/match.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace sinter::enable {

using namespace ir;

namespace {

/// {slice, left, right, takes part -> the slice and the two sizes if they fail, else the largest number, 0, 0}
Fn failing(bool at_most) {
    BlockBuilder builder;
    builder.open({Scalar::i64, Scalar::i64, Scalar::i64, Scalar::boolean});
    const Local fails =
        builder.emit(Op::bit_and, {builder.emit(at_most ? Op::greater : Op::not_equal, {Local(1), Local(2)}), Local(3)});
    const Local zero = builder.constant_index(0), none = builder.constant_index(std::numeric_limits<std::int64_t>::max());
    const Local slice = builder.emit(Op::select, {fails, Local(0), none});
    const Local left = builder.emit(Op::select, {fails, Local(1), zero}),
                right = builder.emit(Op::select, {fails, Local(2), zero});
    return {{}, builder.close({slice, left, right})};
}

/// {slice, a, b, other slice, c, d -> slice, a, b if that is first, else the other}. It is commutative, so that lanes and
/// threads may fold as they like.
Fn first_slice() {
    BlockBuilder builder;
    builder.open(std::vector<Scalar>(6, Scalar::i64));
    const Local before = builder.emit(Op::less, {Local(0), Local(3)});
    std::vector<Local> results;
    for (std::size_t k = 0; k < 3; ++k) results.push_back(builder.emit(Op::select, {before, Local(k), Local(k + 3)}));
    return {{}, builder.close(results)};
}

/// The first pair, out of one per slice, that breaks the guard, as two scalars; 0 and 0 if there is none.
ValueId first_failure(Slices& slices, ValueId left, ValueId right, bool at_most) {
    const Type each{Scalar::i64, slices.type(left).shape}, one{Scalar::i64, {}};
    const ValueId all =
        slices.emit(View{slices.constant(Scalar::boolean, 1), Broadcast{}, {}}, {{Scalar::boolean, each.shape}});
    const ValueId takes_part = slices.where_masked(all), zero = slices.constant(Scalar::i64, 0);
    const ValueId none = slices.constant(Scalar::i64, std::numeric_limits<std::int64_t>::max());
    Map map{failing(at_most), {slices.positions(each.shape), left, right, takes_part}, {}, false};
    const ValueId failures = slices.emit(std::move(map), {each, each, each});
    const std::vector<ValueId> args{failures, ValueId(failures.index + 1), ValueId(failures.index + 2)};
    const ValueId first = slices.emit(Fold{first_slice(), {none, zero, zero}, args, {}, {0}, true}, {one, one, one});
    return ValueId(first.index + 1);
}

}  // namespace

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
