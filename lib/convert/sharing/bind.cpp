// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/sharing/bind.hpp"

#include "convert/hash_table.hpp"
#include "convert/sharing/binding.hpp"

namespace sinter::convert {

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

// Sizes: those of Sized name variables; those of the program name levels and inputs, and are entered where they are first
// used.

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

/// Adds the extents of the term's results that change, as variables of their own.
void Binding::bind_changing(const Term& term, std::vector<ir::Type>& types) {
    for (std::size_t k = term.node->types.size(); k < term.variables(); ++k) {
        types.push_back({ir::Scalar::i64, {}});
        level_[term.first_variable + k] = ValueId(next_level_++);
    }
}

ir::SiteId Binding::site(TermId id) {
    ir::SiteId& site = site_of_[id.index];
    if (!site.valid()) {
        site = ir::SiteId(out_.program.sites.size());
        out_.program.sites.push_back({pruned_[id].node->where, pruned_[id].node->called});
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

/// Makes one binding, or several for a cond whose sides return different extents.
void Binding::bind(TermId id, std::vector<ir::Binding>& made) {
    if (std::holds_alternative<front::Cond>(pruned_[id].node->op) && pruned_[id].extents > 0)
        bind_sides(id, made);
    else
        made.push_back(binding(id));
}

/// Binds the parameters of a loop: the counter, the extents that change, the states.
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
    for (std::uint32_t k = order.begin; k < order.end; ++k) bind(order_[k], made.bindings);
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

/// Everything that the sizes of the scope's guards mention is bound. If several guards are equal, the first is kept.
std::vector<ir::Guard> Binding::guards(ScopeId scope) {
    std::vector<ir::Guard> made;
    HashTable entered;
    for (Requirement* r : requirements_of_[scope.index]) {
        const SizeId left = final_size(r->left), right = final_size(r->right);
        const std::uint64_t key = std::uint64_t(left.index) << 32 | right.index;
        if (entered.find(key) != HashTable::none) continue;
        entered.insert(key, 0);
        made.push_back({left, right, site(r->term), std::move(r->message)});
    }
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

Result bind(const Pruned& pruned, Sized& sized, const Live& live, const Floated& floated, const Options& options) {
    return Binding(pruned, sized, live, floated, find_inputs(pruned, live, options)).run();
}

}  // namespace sinter::convert
