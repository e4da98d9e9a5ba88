// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/joined.hpp"
#include "ir/verify/program_verifier.hpp"

#include <algorithm>

namespace sinter::ir {

void ProgramVerifier::operation(const Vmap& vmap, const std::vector<Type>& types) {
    require(!vmap.args.empty() && vmap.bodies.size() == 1, "P16", "arguments and one body expected");
    std::vector<Type> params = use(vmap.args);
    SizeId extent = params[0].rank() > 0 ? params[0].shape[0] : SizeId();
    for (Type& param : params) {
        require(param.rank() > 0 && param.shape[0] == extent, "P16", "an argument is not of the outermost extent");
        param.shape.erase(param.shape.begin());
    }
    require(vmap.bodies[0].params == params, "P16", "parameters are not slices of the arguments");
    if (is_joined(types)) return joined(vmap, types, extent);
    std::vector<Type> results = types;
    for (Type& result : results) {
        require(result.rank() > 0 && result.shape[0] == extent, "P16", "a result is not of the outermost extent");
        result.shape.erase(result.shape.begin());
    }
    nested(vmap.bodies[0], results, "P16");
}

void ProgramVerifier::joined(const Vmap& vmap, const std::vector<Type>& types, SizeId extent) {
    const Binding* owner = binding_;
    const std::vector<Type> results = body(vmap.bodies[0]);
    binding_ = owner;
    require(!results.empty() && types.size() == results.size() + 2 && types[0] == Type{Scalar::i64, {}} &&
                types[1] == Type{Scalar::i64, {extent}},
            "P16", "a total, extents and as many arrays as the body has results expected");
    for (std::size_t k = 0; k < results.size(); ++k)
        require(results[k].rank() == 1 && results[k].shape == results[0].shape && types[k + 2].scalar == results[k].scalar &&
                    types[k + 2].rank() == 1 && is_own(types[k + 2].shape[0], 0),
                "P16", "results that are joined are not arrays of rank 1 and one shape");
}

void ProgramVerifier::operation(const Rows& rows, const std::vector<Type>& types) {
    require(!rows.args.empty() && rows.inits.size() == rows.args.size() && rows.bodies.size() == 1, "P17",
            "arguments, as many inits and one body expected");
    const std::vector<Type> args = use(rows.args), inits = use(rows.inits);
    one_shape(inits, inits[0].shape, "P17");
    require(inits[0].rank() > 0, "P17", "an init is not a slice");
    std::vector<Type> slices = args, params = inits;
    for (Type& slice : slices) {
        require(slice.rank() > 0 && slice.shape[0] == args[0].shape[0], "P17", "the outermost extents differ");
        slice.shape.erase(slice.shape.begin());
    }
    require(slices == inits, "P17", "the inits are not like slices of the arguments");
    params.insert(params.end(), inits.begin(), inits.end());
    require(rows.bodies[0].params == params, "P17", "parameters are not two slices an argument");
    require(types == (rows.kind == Rows::Kind::fold ? inits : args), "P17", "results are not inits or arguments");
    nested(rows.bodies[0], inits, "P17");
}

void ProgramVerifier::operation(const Derivative& derivative, const std::vector<Type>& types) {
    require(derivative.bodies.size() == 1, "P18", "one body expected");
    const std::vector<Type> args = use(derivative.args);
    require(derivative.bodies[0].params == args, "P18", "parameters are not of the arguments' types");
    std::vector<Type> by, floating;
    for (std::size_t k = 0; k < derivative.by.size(); ++k) {
        require(derivative.by[k] < args.size() && (k == 0 || derivative.by[k - 1] < derivative.by[k]), "P18",
                "numbers of arguments do not increase");
        by.push_back(args[derivative.by[k]]);
        require(is_float(by.back().scalar), "P18", "an argument is not floating-point");
    }
    const std::size_t count = derivative.bodies[0].results.size();
    require(types.size() >= count, "P18", "results are missing");
    const std::vector<Type> values(types.begin(), types.begin() + static_cast<std::ptrdiff_t>(count)),
        derivatives(types.begin() + static_cast<std::ptrdiff_t>(count), types.end());
    for (const Type& type : values)
        if (is_float(type.scalar)) floating.push_back(type);
    const bool forward = derivative.mode == Derivative::Mode::forward;
    require(use(derivative.seeds) == (forward ? by : floating), "P18", "seeds are of other types");
    require(derivatives == (forward ? floating : by), "P18", "derivatives are of other types");
    nested(derivative.bodies[0], values, "P18");
}

void ProgramVerifier::operation(const Custom& custom, const std::vector<Type>& types) {
    const bool has_rule = custom.kind != Custom::Kind::checkpoint;
    require(custom.bodies.size() == (has_rule ? 2 : 1), "P19", "a function, and a rule if it has one, expected");
    const std::vector<Type> args = use(custom.args);
    require(custom.bodies[0].params == args, "P19", "parameters are not of the arguments' types");
    nested(custom.bodies[0], types, "P19");
    if (!has_rule) return;
    const bool forward = custom.kind == Custom::Kind::jvp;
    std::vector<Type> params = args, derivatives;
    for (int times = 0; times < (forward ? 1 : 2); ++times) {
        const std::vector<Type>& more = forward ? args : types;
        params.insert(params.end(), more.begin(), more.end());
    }
    for (const Type& type : forward ? types : args)
        if (is_float(type.scalar)) derivatives.push_back(type);
    require(custom.bodies[1].params == params, "P19", "the rule's parameters are of other types");
    nested(custom.bodies[1], derivatives, "P19");
}

void ProgramVerifier::nested(const Body& nested_body, const std::vector<Type>& types, const char* invariant) {
    const Binding* owner = binding_;
    std::vector<Type> results = body(nested_body);
    binding_ = owner;
    require(results == types, invariant, "results of a body are not of the types expected");
}

void ProgramVerifier::operation(const Cond& cond, const std::vector<Type>& types) {
    require(use(cond.condition) == Type{Scalar::boolean, {}}, "P8", "a condition is not a rank-0 boolean");
    require(cond.bodies.size() == 2, "P8", "two bodies expected");
    for (const Body& branch : cond.bodies) {
        require(branch.params.empty(), "P8", "a branch with parameters");
        nested(branch, types, "P8");
    }
}

void ProgramVerifier::operation(const Loop& loop, const std::vector<Type>& types) {
    const std::size_t changing = loop.changing.size(), states = loop.inits.size();
    require(states > 0 && types.size() == changing + states, "P9", "results are not the changing extents and the states");
    require(loop.bodies.size() == (loop.count ? 1u : 2u), "P9", "a wrong number of bodies");
    const std::vector<Type> inits = use(loop.inits),
                            results(types.begin() + static_cast<std::ptrdiff_t>(changing), types.end());
    state_types(loop, inits, results, "results are not of the states' types");
    for (std::size_t k = 0; k < changing; ++k) {
        require(types[k] == Type{Scalar::i64, {}}, "P9", "a changing extent is not a rank-0 i64");
        require(is_own(state_extent(loop, k, results), k), "P9", "a result's extent is not the one that changed");
    }
    if (loop.count) require(use(*loop.count) == Type{Scalar::i64, {}}, "P9", "a count is not a rank-0 i64");
    for (const Body& each : loop.bodies) loop_body(loop, each, inits);
}

void ProgramVerifier::loop_body(const Loop& loop, const Body& each, const std::vector<Type>& inits) {
    const std::size_t before = loop.indices() + loop.changing.size();
    require(each.params.size() == before + inits.size(), "P9", "parameters of a body are not the states");
    for (std::size_t k = 0; k < before; ++k)
        require(each.params[k] == Type{Scalar::i64, {}}, "P9", "an index or extent is not a rank-0 i64");
    const std::vector<Type> states(each.params.begin() + static_cast<std::ptrdiff_t>(before), each.params.end());
    state_types(loop, inits, states, "parameters of a body are not the states");
    for (std::size_t k = 0; k < loop.changing.size(); ++k) {
        const ValueId extent(types_.size() + loop.indices() + k);
        require(is_value_or_guarded(state_extent(loop, k, states), extent, each), "P9",
                "a state's extent is not the one that changes");
    }
    const Binding* owner = binding_;
    const std::vector<Type> results = body(each);
    binding_ = owner;
    if (&each != &loop.bodies.back())
        require(results == std::vector{Type{Scalar::boolean, {}}}, "P9", "a condition is not a rank-0 boolean");
    else
        state_types(loop, inits, results, "results of a body are not of the states' types");
}

void ProgramVerifier::state_types(const Loop& loop, const std::vector<Type>& inits, std::vector<Type> states,
                                  const char* what) const {
    require(states.size() == inits.size(), "P9", what);
    for (auto [state, axis] : loop.changing) {
        require(state < inits.size() && axis < inits[state].rank() && axis < states[state].rank(), "P9",
                "a state has no such axis");
        states[state].shape[axis] = inits[state].shape[axis];
    }
    require(states == inits, "P9", what);
}

}  // namespace sinter::ir
