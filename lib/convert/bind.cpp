// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Environments of the seed are stack positions here: a variable's name is the number of variables bound before it, so an
// inner body names outer variables as they are and nothing is shifted. Scopes are filled in prune's order, which sorts the
// terms of each by first use.
#include "convert/bind.hpp"

#include "support/check.hpp"
#include "support/match.hpp"

#include <utility>

namespace sinter::convert {

namespace {

using ir::ValueId;

class Binding {
  public:
    Binding(const Pruned& pruned, Sized& sized, const Live& live, const Floated& floated, Inputs inputs)
        : pruned_(pruned),
          sized_(sized),
          floated_(floated),
          inputs_(std::move(inputs)),
          level_(pruned.variables),
          site_of_(pruned.terms.size()) {
        sort_into_scopes(live);
    }

    Result run();

  private:
    void sort_into_scopes(const Live& live);
    void bind_inputs();
    void sort_guards();
    std::vector<ir::Guard> guards(ScopeId scope);
    bool needs_binding(const Term& term) const;
    ir::Body body(ScopeId scope);
    ir::Binding binding(TermId id);
    ir::SiteId site(TermId id);

    ir::ArrayOp operation(TermId id);
    ir::Fn function(TermId id, const ir::Fn& fn, ir::Captures& captures);
    ir::ArrayOp map(TermId id, const front::Map& op);
    ir::ArrayOp fold(TermId id, const front::Fold& op);
    ir::ArrayOp scan(TermId id, const front::Scan& op);
    ir::ArrayOp scatter(TermId id, const front::Scatter& op);
    ir::View slice(TermId id, std::vector<std::int64_t> steps);
    ir::View pad(TermId id);
    ir::ArrayOp loop(TermId id, const front::Loop& op);
    void bind_changing(const Term& term, std::vector<ir::Type>& types);
    void bind_parameters(const Scope& scope, std::vector<ir::Type>& params);
    ir::Map constant(const Term& term, std::uint64_t bits) const;
    ir::Map extent(const Term& term, std::size_t axis) const;
    std::vector<ir::Body> bodies(const Term& term);

    /// The operands of a term, taken in order.
    class OperandReader {
      public:
        OperandReader(const Binding& binding, TermId id) : binding_(binding), rest_(binding.uses(id)) {}
        std::vector<ValueId> take(std::size_t count) {
            std::vector<ValueId> ids = binding_.values(rest_.first(count));
            rest_ = rest_.subspan(count);
            return ids;
        }
        ir::Captures take(const front::Captures& captures) {
            std::vector<ValueId> scalars = take(captures.scalars.size());
            return {std::move(scalars), take(captures.arrays.size())};
        }

      private:
        const Binding& binding_;
        std::span<const Use> rest_;
    };

    ValueId value(const Use& use) const { return level_[pruned_.variable(use)]; }
    std::vector<ValueId> values(std::span<const Use> uses) const;
    std::span<const Use> uses(TermId id) const { return pruned_.in(pruned_[id].uses); }
    ir::Type type(const Term& term, std::uint32_t result);
    SizeId size(SizeId provisional) { return final_size(sized_.sizes.resolve(provisional)); }
    SizeId final_size(SizeId provisional);
    SizeId enter(const Size& provisional);

    const Pruned& pruned_;
    Sized& sized_;
    const Floated& floated_;
    Inputs inputs_;
    Result out_;
    std::vector<TermId> order_;                               ///< live terms by home, each in prune's order
    std::vector<Range> order_of_;                             ///< one a scope: its part of order_
    std::vector<ValueId> level_;                              ///< one a variable
    std::vector<ir::SiteId> site_of_;                         ///< one a term
    std::vector<std::vector<Requirement*>> requirements_of_;  ///< one a scope
    std::vector<SizeId> final_;                               ///< one a provisional size; invalid if not entered yet
    std::vector<std::uint32_t> argument_of_;                  ///< one a provisional size argument
    std::size_t next_level_ = 0;
};

bool Binding::needs_binding(const Term& term) const {
    return !term.binder.valid() && inputs_.input_of[term.first_variable] == Inputs::none;
}

void Binding::sort_into_scopes(const Live& live) {
    std::vector<std::uint32_t> next(pruned_.scopes.size() + 1);
    auto each = [&](auto visit) {
        for (std::size_t t = 0; t < pruned_.terms.size(); ++t)
            if (live.terms[t] && floated_.home[t].valid() && needs_binding(pruned_.terms[t]))
                visit(TermId(t), floated_.home[t].index);
    };
    each([&](TermId, std::uint32_t home) { ++next[home + 1]; });
    for (std::size_t s = 1; s < next.size(); ++s) next[s] += next[s - 1];
    order_.resize(next.back());
    for (std::size_t s = 0; s + 1 < next.size(); ++s) order_of_.push_back({next[s], next[s + 1]});
    each([&](TermId id, std::uint32_t home) { order_[next[home]++] = id; });
}

// Sizes: those of Sized name variables; those of the program levels and inputs, and are entered where first used.

SizeId Binding::enter(const Size& size) {
    ir::SizeTable& table = out_.program.sizes;
    auto index = static_cast<std::size_t>(size.index);
    switch (size.kind) {
        case Size::Kind::input_extent:
            return table.input_extent(inputs_.input_of[index], static_cast<std::size_t>(size.axis));
        case Size::Kind::value:
            return table.value(level_[index]);
        case Size::Kind::argument:
            if (argument_of_[index] == Inputs::none) {
                argument_of_[index] = static_cast<std::uint32_t>(out_.size_arguments.size());
                out_.size_arguments.push_back(sized_.literals[index]);
            }
            return table.argument(argument_of_[index]);
        case Size::Kind::constant:
            return table.constant(size.index);
        default: {
            Size entry = size;
            entry.left = final_[size.left.index];
            entry.right = final_[size.right.index];
            return table.intern(entry);
        }
    }
}

SizeId Binding::final_size(SizeId provisional) {
    if (final_.size() <= provisional.index) final_.resize(sized_.sizes.table.count());
    if (final_[provisional.index].valid()) return final_[provisional.index];
    std::vector<SizeId> stack{provisional};
    while (!stack.empty()) {
        SizeId top = stack.back();
        const Size& entry = sized_.sizes.table[top];
        bool ready = true;
        if (is_compound(entry))
            for (SizeId operand : {entry.right, entry.left})
                if (!final_[operand.index].valid()) stack.push_back(operand), ready = false;
        if (!ready) continue;
        final_[top.index] = enter(entry);
        stack.pop_back();
    }
    return final_[provisional.index];
}

ir::Type Binding::type(const Term& term, std::uint32_t result) {
    ir::Type type{term.node->types[result].scalar, {}};
    auto shape = sized_.shape(term.first_variable + result);
    type.shape.reserve(shape.size());
    for (SizeId extent : shape) type.shape.push_back(size(extent));
    return type;
}

// Operations

std::vector<ValueId> Binding::values(std::span<const Use> uses) const {
    std::vector<ValueId> ids;
    ids.reserve(uses.size());
    for (const Use& use : uses) ids.push_back(value(use));
    return ids;
}

/// `fn` with its lifted literals as further captured scalars.
ir::Fn Binding::function(TermId id, const ir::Fn& fn, ir::Captures& captures) {
    std::uint32_t lifted = inputs_.lifted_of[id.index];
    if (lifted == Inputs::none) return fn;
    const std::vector<ValueId>& literals = inputs_.literals[lifted];
    captures.scalars.insert(captures.scalars.end(), literals.begin(), literals.end());
    return std::move(inputs_.lifted[lifted].fn);
}

ir::ArrayOp Binding::map(TermId id, const front::Map& op) {
    OperandReader operands(*this, id);
    ir::Map made;
    made.args = operands.take(op.args.size());
    made.captures = operands.take(op.captures);
    made.indexed = op.indexed;
    made.fn = function(id, op.fn, made.captures);
    return made;
}

ir::ArrayOp Binding::fold(TermId id, const front::Fold& op) {
    OperandReader operands(*this, id);
    ir::Fold made;
    made.inits = operands.take(op.inits.size());
    made.args = operands.take(op.args.size());
    made.captures = operands.take(op.captures);
    made.axes = op.axes;
    made.commutative = op.commutative;
    made.op = function(id, op.op, made.captures);
    return made;
}

ir::ArrayOp Binding::scan(TermId id, const front::Scan& op) {
    OperandReader operands(*this, id);
    ir::Scan made;
    made.inits = operands.take(op.inits.size());
    made.args = operands.take(op.args.size());
    made.captures = operands.take(op.captures);
    made.axis = op.axis;
    made.exclusive = op.exclusive;
    made.reverse = op.reverse;
    made.totals = op.totals;
    made.op = function(id, op.op, made.captures);
    return made;
}

ir::ArrayOp Binding::scatter(TermId id, const front::Scatter& op) {
    OperandReader operands(*this, id);
    ir::Scatter made;
    made.dests = operands.take(op.dests.size());
    made.indices = operands.take(op.indices.size());
    made.values = operands.take(op.values.size());
    made.captures = operands.take(op.captures);
    made.drops = op.drops;
    if (op.op) made.op = function(id, *op.op, made.captures);
    return made;
}

ir::View Binding::slice(TermId id, std::vector<std::int64_t> steps) {
    ir::Slice made{{}, std::move(steps)};
    Range starts = sized_.starts_of[id.index];
    for (std::uint32_t k = starts.begin; k < starts.end; ++k) made.start.push_back(size(sized_.starts[k]));
    return {value(uses(id)[0]), std::move(made)};
}

ir::View Binding::pad(TermId id) {
    ir::View made = slice(id, std::vector<std::int64_t>(pruned_[id].node->types[0].shape.size(), 1));
    made.fill = value(uses(id)[1]);
    return made;
}

std::vector<ir::Body> Binding::bodies(const Term& term) {
    std::vector<ir::Body> made;
    for (std::uint32_t s = term.scopes.begin; s < term.scopes.end; ++s) made.push_back(body(ScopeId(s)));
    return made;
}

ir::ArrayOp Binding::loop(TermId id, const front::Loop& op) {
    auto all = uses(id);
    ir::Loop made;
    if (op.counted) made.count = value(all[0]);
    made.inits = values(all.subspan(op.counted ? 1 : 0));
    made.bodies = bodies(pruned_[id]);
    const Range states = pruned_.scopes[pruned_[id].scopes.end - 1].params;
    const std::uint32_t first = states.begin + (op.counted ? 1 : 0);
    for (std::uint32_t p = first; p < states.end; ++p)
        for (std::size_t axis = 0; axis < pruned_.terms[p].node->types[0].shape.size(); ++axis)
            if (pruned_.terms[p].changes(axis)) made.changing.push_back({p - first, axis});
    return made;
}

/// The extents of the term's that change, as variables of their own.
void Binding::bind_changing(const Term& term, std::vector<ir::Type>& types) {
    for (std::size_t k = term.node->types.size(); k < term.variables(); ++k) {
        types.push_back({ir::Scalar::i64, {}});
        level_[term.first_variable + k] = ValueId(next_level_++);
    }
}

ir::Map Binding::constant(const Term& term, std::uint64_t bits) const {
    ir::Map made;
    made.fn.body.insts.push_back({ir::Op::constant, {term.node->types[0].scalar}, bits, {}, {}});
    made.fn.body.results = {ir::Local(0)};
    return made;
}

ir::Map Binding::extent(const Term& term, std::size_t axis) const {
    const Use& array = pruned_.in(term.uses)[0];
    const front::LeafType& type = pruned_[array.term].node->types[array.result];
    ir::Map made;
    made.fn.arrays.push_back({type.scalar, type.shape.size()});
    made.fn.body.insts.push_back({ir::Op::extent, {ir::Scalar::i64}, axis, {}, {}});
    made.fn.body.results = {ir::Local(0)};
    made.captures.arrays = {value(array)};
    return made;
}

ir::ArrayOp Binding::operation(TermId id) {
    const Term& term = pruned_[id];
    auto view = [&](ir::IndexFunction function) -> ir::ArrayOp { return ir::View{value(uses(id)[0]), std::move(function)}; };
    return match(
        term.node->op, [](const front::Input&) -> ir::ArrayOp { fail_check("an input is not bound", location::current()); },
        [](const front::Parameter&) -> ir::ArrayOp { fail_check("a parameter is not bound", location::current()); },
        [&](const front::Literal& o) -> ir::ArrayOp { return constant(term, o.bits); },
        [&](const front::ExtentOf& o) -> ir::ArrayOp { return extent(term, o.axis); },
        [&](const front::Map& o) { return map(id, o); }, [&](const front::Fold& o) { return fold(id, o); },
        [&](const front::Transpose& o) { return view(ir::Transpose{o.axes}); },
        [&](const front::Slice& o) -> ir::ArrayOp { return slice(id, o.step); },
        [&](const front::Reverse& o) -> ir::ArrayOp {
            std::vector<std::int64_t> steps(term.node->types[0].shape.size(), 1);
            for (std::size_t axis : o.axes) steps[axis] = -1;
            return slice(id, std::move(steps));
        },
        [&](const front::Broadcast& o) { return view(ir::Broadcast{o.axes}); },
        [&](const front::Reshape&) { return view(ir::Reshape{}); },
        [&](const front::Flatten&) { return view(ir::Reshape{}); },
        [&](const front::Gather& o) -> ir::ArrayOp {
            auto all = uses(id);
            return ir::Gather{values(all.first(o.indices.size())), values(all.subspan(o.indices.size()))};
        },
        [&](const front::Force&) -> ir::ArrayOp { return ir::Force{values(uses(id))}; },
        [&](const front::Cond&) -> ir::ArrayOp { return ir::Cond{value(uses(id)[0]), bodies(term)}; },
        [&](const front::Loop& o) { return loop(id, o); }, [&](const front::Scan& o) { return scan(id, o); },
        [&](const front::Compact&) -> ir::ArrayOp { return ir::Compact{value(uses(id)[0]), values(uses(id).subspan(1))}; },
        [&](const front::Scatter& o) { return scatter(id, o); },
        [&](const front::Sort& o) -> ir::ArrayOp { return ir::Sort{values(uses(id)), o.keys, o.descending}; },
        [&](const front::Foreign& o) -> ir::ArrayOp { return ir::Foreign{o.name, o.function, values(uses(id))}; },
        [&](const front::Vmap&) -> ir::ArrayOp { return ir::Vmap{values(uses(id)), bodies(term)}; },
        [&](const front::Rows& o) -> ir::ArrayOp {
            const auto all = uses(id);
            return ir::Rows{o.kind, o.reverse, values(all.first(o.inits.size())), values(all.subspan(o.inits.size())),
                            bodies(term)};
        },
        [&](const front::Shift& o) { return view(ir::Shift{o.offset, o.boundary}); },
        [&](const front::Pad&) -> ir::ArrayOp { return pad(id); });
}

// Bodies

ir::SiteId Binding::site(TermId id) {
    ir::SiteId& site = site_of_[id.index];
    if (!site.valid()) {
        site = ir::SiteId(out_.program.sites.size());
        out_.program.sites.push_back(pruned_[id].node->where);
    }
    return site;
}

ir::Binding Binding::binding(TermId id) {
    const Term& term = pruned_[id];
    ir::Binding made{operation(id), {}, site(id)};
    made.types.reserve(term.variables());
    bind_changing(term, made.types);
    for (std::uint32_t r = 0; r < term.node->types.size(); ++r) {
        made.types.push_back(type(term, r));
        level_[term.first_variable + r] = ValueId(next_level_++);
    }
    return made;
}

/// Of a loop: the counter, the extents that change, the states.
void Binding::bind_parameters(const Scope& scope, std::vector<ir::Type>& params) {
    const auto* loop = std::get_if<front::Loop>(&pruned_[scope.owner].node->op);
    const std::uint32_t states = scope.params.begin + (loop && loop->counted ? 1 : 0);
    auto bind = [&](std::uint32_t p) {
        params.push_back(type(pruned_.terms[p], 0));
        level_[pruned_.terms[p].first_variable] = ValueId(next_level_++);
    };
    for (std::uint32_t p = scope.params.begin; p < states; ++p) bind(p);
    for (std::uint32_t p = states; p < scope.params.end; ++p) bind_changing(pruned_.terms[p], params);
    for (std::uint32_t p = states; p < scope.params.end; ++p) bind(p);
}

ir::Body Binding::body(ScopeId id) {
    const Scope& scope = pruned_.scopes[id.index];
    std::size_t outer_level = next_level_;
    ir::Body made;
    if (scope.owner.valid()) bind_parameters(scope, made.params);
    Range order = order_of_[id.index];
    made.bindings.reserve(order.end - order.begin);
    for (std::uint32_t k = order.begin; k < order.end; ++k) made.bindings.push_back(binding(order_[k]));
    made.results = values(pruned_.in(scope.results));
    made.guards = guards(id);
    if (scope.owner.valid()) next_level_ = outer_level;
    return made;
}

void Binding::bind_inputs() {
    for (std::size_t variable = 0; variable < pruned_.variables; ++variable)
        if (inputs_.input_of[variable] != Inputs::none) level_[variable] = ValueId(inputs_.input_of[variable]);
    next_level_ = inputs_.arguments.size();
}

void Binding::sort_guards() {
    requirements_of_.resize(pruned_.scopes.size());
    for (Requirement& r : sized_.requirements)
        if (r.home.valid()) requirements_of_[r.home.index].push_back(&r);
}

/// All that the scope's sizes mention is bound.
std::vector<ir::Guard> Binding::guards(ScopeId scope) {
    std::vector<ir::Guard> made;
    for (Requirement* r : requirements_of_[scope.index])
        made.push_back({final_size(r->left), final_size(r->right), site(r->term), std::move(r->message)});
    return made;
}

Result Binding::run() {
    argument_of_.resize(sized_.literals.size(), Inputs::none);
    bind_inputs();
    sort_guards();
    std::vector<ir::Type> params;
    for (std::size_t k = 0; k < inputs_.scalars.size(); ++k) {
        std::uint32_t variable = inputs_.variables[k];
        if (variable == Inputs::none)
            params.push_back({inputs_.scalars[k], {}});
        else
            params.push_back(
                type(pruned_[sized_.term_of[variable]], variable - pruned_[sized_.term_of[variable]].first_variable));
    }
    out_.program.body = body(ScopeId(0));
    out_.program.body.params = std::move(params);
    out_.program.size_arguments = out_.size_arguments.size();
    out_.arguments = std::move(inputs_.arguments);
    return std::move(out_);
}

}  // namespace

Result bind(const Pruned& pruned, Sized& sized, const Live& live, const Floated& floated, const Options& options) {
    return Binding(pruned, sized, live, floated, find_inputs(pruned, live, options)).run();
}

}  // namespace sinter::convert
