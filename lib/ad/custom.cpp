// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions with a rule for their derivative. A rule is linear in its tangents or cotangents, so it serves both modes: the
// other mode is its transpose, which is a derivative of the rule itself and is left to the next round.
#include "ad/forward.hpp"
#include "ad/reverse/reverse.hpp"
#include "ad/variables.hpp"

#include <fmt/format.h>

namespace sinter::ad {

using namespace ir;

void Forward::push_custom(Custom& custom, std::vector<Type> types) {
    const std::size_t level = old_level();
    if (custom.kind == Custom::Kind::checkpoint) return push_checkpoint(custom);
    for (const Body& body : custom.bodies)
        for (const Binding& binding : body.bindings)
            for_each_variable(binding.op, [&](ValueId id) {
                if (id.index < level && tangent(id)) refuse_captured(custom, where(site()));
            });
    std::vector<ValueId> params = renamed(custom.args);
    std::vector<Type> arg_types;
    for (ValueId arg : params) arg_types.push_back(type(arg));
    Custom primal{custom.kind, params, {}};
    for (const Body& body : custom.bodies)
        primal.bodies.push_back(nested(Body(body), std::vector<Param>(body.params.size())));
    const std::vector<ValueId> results = results_from(emit(std::move(primal), types), types.size());
    const std::vector<std::size_t> of_results = floating(types);
    std::vector<ValueId> made;
    if (custom.kind == Custom::Kind::jvp) {
        for (std::size_t k = 0; k < arg_types.size(); ++k) {
            const Derived known = tangent(custom.args[k]);
            params.push_back(known ? *known : zeros_of(arg_types[k]));
        }
        made = results_of(std::move(custom.bodies[1]), params);
    } else {
        params.insert(params.end(), results.begin(), results.end());
        const ValueId first = transposed(std::move(custom.bodies[1]), params, types, of_results, all_tangents(custom.args));
        made = results_from(first, of_results.size());
    }
    std::vector<Derived> tangents(types.size());
    for (std::size_t k = 0; k < of_results.size(); ++k) tangents[of_results[k]] = made[k];
    tangents_.resize(level);
    define_results(results, std::move(tangents));
}

/// Forward mode keeps nothing: the derivative is that of the body itself.
void Forward::push_checkpoint(Custom& custom) {
    const std::size_t level = old_level();
    std::vector<Derived> of_args, of_results;
    for (ValueId arg : custom.args) of_args.push_back(tangent(arg));
    Body& body = custom.bodies[0];
    define(renamed(custom.args));
    tangents_.resize(level);
    tangents_.insert(tangents_.end(), of_args.begin(), of_args.end());
    write(body.bindings);
    tangents_.resize(old_level());
    for (ValueId result : body.results) of_results.push_back(tangent(result));
    std::vector<ValueId> results = renamed(body.results);
    write(body.guards);
    undefine(level);
    tangents_.resize(level);
    define_results(std::move(results), std::move(of_results));
}

void Reverse::pull_custom(const Custom& custom, const Done& done) {
    if (custom.kind == Custom::Kind::checkpoint) return pull_checkpoint(custom, done);
    std::vector<ValueId> params = renamed(custom.args), cotangents, made;
    std::vector<Type> arg_types, types;
    for (ValueId arg : params) arg_types.push_back(type(arg));
    for (ValueId result : done.results) types.push_back(type(result));
    for (std::size_t k = 0; k < types.size(); ++k)
        cotangents.push_back(done.adjoints[k] ? *done.adjoints[k] : zeros_of(types[k]));
    const std::vector<std::size_t> of_args = floating(arg_types);
    if (custom.kind == Custom::Kind::vjp) {
        params.insert(params.end(), done.results.begin(), done.results.end());
        params.insert(params.end(), cotangents.begin(), cotangents.end());
        made = results_of(custom.bodies[1], params);
    } else {
        std::vector<ValueId> seeds;
        for (std::size_t k : floating(types)) seeds.push_back(cotangents[k]);
        made = results_from(transposed(custom.bodies[1], params, arg_types, of_args, std::move(seeds)), of_args.size());
    }
    for (std::size_t k = 0; k < of_args.size(); ++k) contribute(custom.args[of_args[k]], made[k]);
}

/// The body is written once more, with arguments that are not available before the cotangents are.
void Reverse::pull_checkpoint(const Custom& custom, const Done& done) {
    const std::size_t level = old_level(), count = custom.args.size();
    Force barrier{renamed(custom.args), true};
    std::vector<Type> types;
    for (const Derived& adjoint : done.adjoints)
        if (adjoint) barrier.args.push_back(*adjoint);
    for (ValueId id : barrier.args) types.push_back(type(id));
    std::size_t next = emit(std::move(barrier), std::move(types)).index;
    std::vector<Derived> cotangents;
    const std::vector<ValueId> params = results_from(ValueId(next), count);
    next += count;
    for (const Derived& adjoint : done.adjoints) cotangents.push_back(adjoint ? Derived(ValueId(next++)) : std::nullopt);
    const Flags flags = varied_(custom.args), infinite = infinite_(custom.args);
    define(params);
    varied_.set(level, flags);
    infinite_.set(level, infinite);
    adjoints_.resize(old_level());
    traverse(custom.bodies[0], cotangents);
    std::vector<Derived> adjoints;
    for (std::size_t k = 0; k < count; ++k) adjoints.push_back(adjoint(ValueId(level + k)));
    undefine(level);
    adjoints_.resize(level);
    varied_.set(level, {});
    infinite_.set(level, {});
    for (std::size_t k = 0; k < count; ++k)
        if (adjoints[k]) contribute(custom.args[k], *adjoints[k]);
}

/// The rule is another foreign function, whose results have the shapes of the arguments.
void Reverse::pull_foreign(const Foreign& foreign, const Done& done) {
    Foreign made{foreign.name, *foreign.rule, renamed(foreign.args), {}, {}};
    std::size_t extents = 0;
    for (ValueId result : done.results) extents += type(result).rank();
    const std::vector<ValueId> arrays(done.results.begin() + static_cast<std::ptrdiff_t>(extents), done.results.end());
    made.args.insert(made.args.end(), arrays.begin(), arrays.end());
    for (std::size_t k = 0; k < arrays.size(); ++k) {
        const Derived& adjoint = done.adjoints[extents + k];
        made.args.push_back(adjoint ? *adjoint : zeros_of(type(arrays[k])));
    }
    std::vector<Type> types, adjoints;
    for (std::size_t k : foreign.by) adjoints.push_back(type(rename(foreign.args[k])));
    std::size_t next = level();
    for (std::size_t k = 0; k < adjoints.size(); ++k)
        for (std::size_t axis = 0; axis < adjoints[k].rank(); ++axis) {
            const SizeId extent = sizes().value(ValueId(next++));
            add_guard({extent, adjoints[k].shape[axis], site(),
                       fmt::format("foreign: what the derivative of {} returns for argument {}, axis {}", foreign.name,
                                   foreign.by[k], axis)});
            types.push_back({Scalar::i64, {}});
        }
    const std::size_t first = types.size();
    types.insert(types.end(), adjoints.begin(), adjoints.end());
    const std::size_t at = emit(std::move(made), std::move(types)).index + first;
    for (std::size_t k = 0; k < foreign.by.size(); ++k) contribute(foreign.args[foreign.by[k]], ValueId(at + k));
}

}  // namespace sinter::ad
