// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches and loops. A condition or count that all slices share decides for all of them. Otherwise both branches are
// executed, and a loop runs as long as any slice needs it; a mask says which slices take part, so that the others cannot
// fail, and results are selected per slice.
#include "enable/lift/lift_rules.hpp"
#include "enable/slices/lift_function.hpp"

namespace sinter::enable {

using namespace ir;

namespace {

/// `params` have new names. Results are batched where `wanted` says so.
Body lifted_body(Slices& slices, Body& old, const Types& params, const Flags& flags, const Flags& wanted) {
    Slices::Nest nest;
    slices.enter(nest);
    slices.define_results(slices.add_parameters(nest, params), flags);
    std::vector<Slices::Operand> results = slices.splice_results(old, slices.mask());
    return slices.leave(nest, slices.batched(results, wanted));
}

void choose(Slices& slices, Cond& cond, ValueId condition) {
    ValueId other = slices.apply(Op::bit_not, {condition}, Scalar::boolean);
    std::vector<Slices::Operand> then = slices.splice_results(cond.bodies[0], slices.where_masked(condition));
    std::vector<Slices::Operand> otherwise = slices.splice_results(cond.bodies[1], slices.where_masked(other));
    std::vector<ValueId> ids;
    for (std::size_t i = 0; i < then.size(); ++i)
        ids.push_back(slices.select(condition, slices.batched(then[i]), slices.batched(otherwise[i])));
    slices.define_results(ids, Flags(ids.size(), true));
}

/// A loop whose number of iterations differs from slice to slice.
class VaryingLoop {
  public:
    VaryingLoop(Slices& slices, Loop& loop, const Types& types) : s_(slices), loop_(loop), types_(types) {}

    /// Runs as often as the slice with the largest count needs.
    void count_each() {
        ValueId count = s_.rename(*loop_.count);
        if (s_.mask()) count = s_.select(*s_.mask(), count, s_.batched({s_.constant(Scalar::i64, 0), false}));
        Loop made{s_.reduce_slices(Op::maximum, count), s_.batched(loop_.inits), {}, {}, loop_.segment};
        Slices::Nest nest;
        s_.enter(nest);
        ValueId iteration = s_.add_parameter(nest, {Scalar::i64, {}});
        std::vector<ValueId> states = s_.add_parameters(nest, types_);
        s_.define_results(iteration, {false});
        define(states);
        Map more{apply_op(Op::greater, {Scalar::i64, Scalar::i64}), {count}, {{iteration}, {}}, false};
        ValueId active = s_.emit(std::move(more), {{Scalar::boolean, {s_.extent()}}});
        made.bodies.push_back(s_.leave(nest, states_where(active, loop_.bodies[0], states)));
        s_.define_batched(s_.emit(std::move(made), types_), types_.size());
    }

    /// Runs while any slice is active. The flags of active slices are the first state: inactive slices do not evaluate the
    /// condition.
    void while_any() {
        Loop made{std::nullopt, s_.batched(loop_.inits), {}, {}, loop_.segment};
        made.inits.insert(made.inits.begin(), still_active(made.inits));
        Types params = types_;
        params.insert(params.begin(), s_.type(made.inits[0]));
        Slices::Nest condition;
        s_.enter(condition);
        ValueId some = s_.reduce_slices(Op::bit_or, s_.add_parameters(condition, params)[0]);
        made.bodies.push_back(s_.leave(condition, {some}));
        made.bodies.push_back(iteration(params));
        ValueId first = s_.emit(std::move(made), params);
        s_.define_batched(ValueId(first.index + 1), types_.size());
    }

  private:
    void define(const std::vector<ValueId>& states) { s_.define_results(states, Flags(states.size(), true)); }

    /// One iteration of `body`, whose parameters have been defined, for the slices where `active` is set; the others keep
    /// their states.
    std::vector<ValueId> states_where(ValueId active, Body& body, const std::vector<ValueId>& states) {
        std::vector<Slices::Operand> results = s_.splice_results(body, active);
        std::vector<ValueId> ids;
        for (std::size_t i = 0; i < states.size(); ++i) ids.push_back(s_.select(active, s_.batched(results[i]), states[i]));
        return ids;
    }

    /// For each slice: true if it is still active and continues from these states.
    ValueId still_active(const std::vector<ValueId>& states) {
        Body condition = loop_.bodies[0];
        std::size_t outside = s_.old_level();
        define(states);
        Slices::Operand active = s_.splice_results(condition, s_.mask())[0];
        s_.undefine(outside);
        return s_.where_masked(s_.batched(active));
    }

    /// params: the flags of active slices, then the states.
    Body iteration(const Types& params) {
        Slices::Nest nest;
        s_.enter(nest);
        std::size_t outside = s_.old_level();
        std::vector<ValueId> states = s_.add_parameters(nest, params);
        ValueId active = states[0];
        states.erase(states.begin());
        define(states);
        std::vector<ValueId> results = states_where(active, loop_.bodies[1], states);
        s_.undefine(outside);
        results.insert(results.begin(), s_.under(active, [&] { return still_active(results); }));
        return s_.leave(nest, std::move(results));
    }

    Slices& s_;
    Loop& loop_;
    const Types& types_;
};

}  // namespace

void lift_cond(Slices& slices, Cond& cond, const Types& types, const Flags& flags) {
    Slices::Operand condition = slices.use(cond.condition);
    if (condition.batched) return choose(slices, cond, condition.id);
    Cond made{condition.id, {}};
    for (Body& body : cond.bodies) made.bodies.push_back(lifted_body(slices, body, {}, {}, flags));
    slices.define_results(slices.emit(std::move(made), types), flags);
}

void lift_loop(Slices& slices, Loop& loop, const Types& types, const Flags& flags) {
    if (loop.count && slices.is_batched()(*loop.count)) return VaryingLoop(slices, loop, types).count_each();
    if (!loop.count && slices.flags_of_body(loop.bodies[0], flags)[0]) return VaryingLoop(slices, loop, types).while_any();
    std::vector<Slices::Operand> inits;
    for (ValueId init : loop.inits) inits.push_back(slices.use(init));
    Loop made{std::nullopt, slices.batched(inits, flags), {}, {}, loop.segment};
    Types params = types;
    Flags param_flags = flags;
    if (loop.count) {
        made.count = slices.rename(*loop.count);
        params.insert(params.begin(), Type{Scalar::i64, {}});
        param_flags.insert(param_flags.begin(), false);
    } else {
        made.bodies.push_back(lifted_body(slices, loop.bodies[0], params, param_flags, {false}));
    }
    made.bodies.push_back(lifted_body(slices, loop.bodies.back(), params, param_flags, flags));
    slices.define_results(slices.emit(std::move(made), types), flags);
}

/// Everything that the function and the rule are given, and return, differs from slice to slice. What is known of variables
/// inside of one of them is forgotten for the other.
void lift_custom(Flats& flats, Custom& custom, const Types& types) {
    Slices& slices = flats.slices();
    Custom made{custom.kind, slices.batched(custom.args), {}};
    for (Body& body : custom.bodies) {
        const Flags all(body.params.size(), true);
        const Types params = slices.lifted(body.params, all);
        const Flats::Scope scope(flats);
        made.bodies.push_back(lifted_body(slices, body, params, all, Flags(body.results.size(), true)));
    }
    slices.define_results(slices.emit(std::move(made), types), Flags(types.size(), true));
}

}  // namespace sinter::enable
