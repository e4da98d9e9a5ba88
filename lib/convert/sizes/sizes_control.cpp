// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/sizes/sizing.hpp"
#include "support/check.hpp"

#include <fmt/format.h>

namespace sinter::convert {

/// The results of an input, or of a parameter of the program, have fresh extents.
void Sizing::inputs() {
    const Term& term = pruned_[term_];
    for (std::uint32_t r = 0; r < term.node->types.size(); ++r) {
        const std::vector<front::Extent>& shape = term.node->types[r].shape;
        scratch_.clear();
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            scratch_.push_back(out_.sizes.table.input_extent(term.first_variable + r, axis));
            if (shape[axis] >= 0) out_.sizes.set_known(scratch_.back(), shape[axis]);
        }
        add(scratch_);
    }
}

/// A parameter of the program is an input; one of a loop is the counter, or a state, which has the shape of its initial
/// state except for extents that change; one of vmap, or of an operator on rows, is a slice; one of a rule is an argument,
/// or a result of its function.
void Sizing::parameter() {
    const Term& term = pruned_[term_];
    const Scope& scope = pruned_.scopes[term.binder.index];
    if (!scope.owner.valid()) return inputs();
    check(term.node->types.size() == 1, "a parameter is one variable");
    const std::size_t position = term_.index - scope.params.begin;
    const auto operands = pruned_.in(pruned_[scope.owner].uses);
    if (const auto* rows = std::get_if<front::Rows>(&pruned_[scope.owner].node->op))
        return add_copies(shape_of(operands[rows->inits.size() + position % rows->args.size()]).subspan(1), 1);
    if (const auto* custom = std::get_if<front::Custom>(&pruned_[scope.owner].node->op))
        return add_copies(shape_of(given_to(*custom, term.binder, position)), 1);
    const Use& operand = operands[position];
    if (std::holds_alternative<front::Derivative>(pruned_[scope.owner].node->op)) return add_copies(shape_of(operand), 1);
    const auto* loop = std::get_if<front::Loop>(&pruned_[scope.owner].node->op);
    if (!loop) return add_copies(shape_of(operand).subspan(1), 1);
    if (loop->counted && position == 0) {
        add({});
        return out_.sizes.set_nonnegative(given_.value_of({term_, 0, false, true}));
    }
    std::uint32_t variable = term.first_variable + 1;
    add_with_changing(shape_of(operand), term_, term.changing, variable);
}

/// What a parameter of the function or of the rule stands for.
const Use& Sizing::given_to(const front::Custom& op, ScopeId scope, std::size_t position) const {
    const Term& owner = pruned_[pruned_.scopes[scope.index].owner];
    const auto args = pruned_.in(owner.uses), results = pruned_.in(pruned_.scopes[owner.scopes.begin].results);
    if (op.kind == ir::Custom::Kind::jvp || position < args.size()) return args[position % args.size()];
    return results[(position - args.size()) % results.size()];
}

/// The results of both branches have the shape of the first branch's, except for extents that differ.
void Sizing::cond() {
    const Term& term = pruned_[term_];
    const Scope* scopes = &pruned_.scopes[term.scopes.begin];
    auto first = pruned_.in(scopes[0].results), second = pruned_.in(scopes[1].results);
    check(first.size() == second.size(), "branches have as many results");
    std::uint32_t variable = term.first_variable + static_cast<std::uint32_t>(first.size());
    std::size_t position = 0;
    for (std::size_t k = 0; k < first.size(); ++k) {
        const auto shape = shape_of(first[k]);
        check(shape.size() == shape_of(second[k]).size(), "branches have results of one rank");
        std::vector<SizeId> extents(shape.begin(), shape.end());
        for (std::size_t axis = 0; axis < extents.size(); ++axis, ++position) {
            if (term.changes(position)) {
                extents[axis] = given_.value(term_, variable++);
                out_.sizes.set_nonnegative(extents[axis]);
            } else if (!has_extent(second[k], first[k], axis,
                                   [&] { return fmt::format("cond: result {} of both branches, axis {}", k, axis); })) {
                changing_.push_back({term_, position});
            }
        }
        add(extents);
    }
}

/// A state keeps an extent if the body's result has the extent of the initial state; otherwise the extent changes.
void Sizing::loop(const front::Loop& op) {
    const Scope& body = pruned_.scopes[pruned_[term_].scopes.end - 1];
    const std::uint32_t first_init = op.counted ? 1 : 0, first_state = body.params.begin + first_init;
    auto results = pruned_.in(body.results);
    check(results.size() == op.inits.size(), "a loop's body has a result a state");
    for (std::uint32_t k = 0; k < results.size(); ++k) {
        const TermId state(first_state + k);
        const std::string what = fmt::format("{}: state {}", op.counted ? "for_loop" : "while_loop", k);
        check(shape_of(use(first_init + k)).size() == shape_of(results[k]).size(), "a loop's state keeps its rank");
        for (std::size_t axis = 0; axis < shape_of(results[k]).size(); ++axis)
            if (!pruned_[state].changes(axis)) keep_extent(use(first_init + k), results[k], axis, state, what);
    }
    std::uint32_t variable = pruned_[term_].first_variable + static_cast<std::uint32_t>(op.inits.size());
    for (std::uint32_t k = 0; k < results.size(); ++k)
        add_with_changing(shape_of(use(first_init + k)), term_, pruned_.terms[first_state + k].changing, variable);
}

/// If two known extents happen to be equal, they are taken to be equal, and whatever relies on that is checked.
template <class Describe>
bool Sizing::has_extent(const Use& array, const Use& like, std::size_t axis, Describe describe) {
    const SizeId expected = shape_of(like)[axis], extent = shape_of(array)[axis];
    if (out_.sizes.proves(expected, extent)) return true;
    const front::Extent traced = front_extent(like, axis);
    const auto a = out_.sizes.known(expected), b = out_.sizes.known(extent);
    if (!(traced >= 0 && traced == front_extent(array, axis)) && !(a && b && *a == *b)) return false;
    require_.equal(expected, extent, describe);
    return true;
}

void Sizing::keep_extent(const Use& init, const Use& next, std::size_t axis, TermId parameter, const std::string& what) {
    if (!has_extent(next, init, axis, [&] { return fmt::format("{} changes its shape, axis {}", what, axis); }))
        changing_.push_back({parameter, axis});
}

/// Adds `shape`, with the variables from `variable` on as the extents that change.
void Sizing::add_with_changing(std::span<const SizeId> shape, TermId term, std::uint64_t changing, std::uint32_t& variable) {
    scratch_.assign(shape.begin(), shape.end());
    for (std::size_t axis = 0; axis < scratch_.size(); ++axis) {
        if ((changing >> axis & 1) == 0) continue;
        scratch_[axis] = given_.value(term, variable++);
        out_.sizes.set_nonnegative(scratch_[axis]);
    }
    add(scratch_);
}

/// An operation does not fit extents that the loops around it were assumed to keep: lets these change all extents that they
/// may. Returns false if none are left.
bool Sizing::change_around(TermId id) {
    for (const Scope& scope : pruned_.scopes) {
        if (!scope.owner.valid() || !std::holds_alternative<front::Loop>(pruned_[scope.owner].node->op)) continue;
        if (id.index < scope.params.begin || id > scope.owner) continue;
        for (std::uint32_t p = scope.params.begin; p < scope.params.end; ++p) {
            const std::vector<front::Extent>& shape = pruned_.terms[p].node->types[0].shape;
            for (std::size_t axis = 0; axis < shape.size(); ++axis)
                if (shape[axis] < 0 && !pruned_.terms[p].changes(axis)) changing_.push_back({TermId(p), axis});
        }
    }
    return !changing_.empty();
}

/// Results have the shapes of the function's results. What the rule returns has the shapes of what it belongs to.
void Sizing::custom(const front::Custom& op) {
    const bool forward = op.kind == ir::Custom::Kind::jvp;
    const Scope* scopes = &pruned_.scopes[pruned_[term_].scopes.begin];
    const auto results = pruned_.in(scopes[0].results);
    for (const Use& result : results) add_copies(shape_of(result), 1);
    if (op.kind == ir::Custom::Kind::checkpoint) return;
    const auto derivatives = pruned_.in(scopes[1].results);
    std::size_t next = 0;
    const auto belongs_to = forward ? results : uses_;
    for (std::size_t k = 0; k < belongs_to.size(); ++k) {
        const Use& like = belongs_to[k];
        if (!detail::is_float(pruned_[like.term].node->types[like.result].scalar)) continue;
        const auto expected = shape_of(like), actual = shape_of(derivatives[next++]);
        for (std::size_t axis = 0; axis < actual.size(); ++axis)
            require_.equal(actual[axis], expected[axis], [&] {
                return forward ? fmt::format("custom_jvp: the rule's tangent {} and the result, axis {}", k, axis)
                               : fmt::format("custom_vjp: the rule's adjoint {} and the argument, axis {}", k, axis);
            });
    }
}

/// Tangents and adjoints have the shapes of what they belong to.
void Sizing::derivative(const front::Derivative& op) {
    const bool forward = op.mode == ir::Derivative::Mode::forward;
    std::vector<std::vector<SizeId>> values, floating, arguments;
    auto copy = [&](const Use& use) {
        auto shape = shape_of(use);
        return std::vector(shape.begin(), shape.end());
    };
    for (const Use& result : pruned_.in(pruned_.scopes[pruned_[term_].scopes.begin].results)) {
        values.push_back(copy(result));
        if (detail::is_float(pruned_[result.term].node->types[result.result].scalar)) floating.push_back(values.back());
    }
    for (std::size_t argument : op.by) arguments.push_back(copy(use(argument)));
    const auto& seeded = forward ? arguments : floating;
    for (std::size_t k = 0; k < op.seeds.size(); ++k) {
        const auto seed = copy(use(op.args.size() + k));
        for (std::size_t axis = 0; axis < seed.size(); ++axis)
            require_.equal(seed[axis], seeded[k][axis], [&] {
                return forward ? fmt::format("jvp: tangent {} and its argument, axis {}", k, axis)
                               : fmt::format("vjp: cotangent {} and its result, axis {}", k, axis);
            });
    }
    for (const auto& shape : values) add(shape);
    for (const auto& shape : forward ? floating : arguments) add(shape);
}

/// Puts the arguments' outermost extent in front of the shapes of the body's results.
void Sizing::vmap(const front::Vmap& op) {
    SizeId extent = shape_of(use(0))[0];
    for (std::size_t k = 1; k < op.args.size(); ++k)
        require_.equal(extent, shape_of(use(k))[0], [&] { return fmt::format("vmap: arguments 0 and {}, axis 0", k); });
    const std::span<const Use> results = pruned_.in(pruned_.scopes[pruned_[term_].scopes.begin].results);
    if (pruned_[term_].node->types[0].shape.empty()) return joined(results, extent);
    for (const Use& result : results) {
        auto slice = shape_of(result);
        std::vector<SizeId> shape{extent};
        shape.insert(shape.end(), slice.begin(), slice.end());
        add(shape);
    }
}

/// A total, the extents of all slices, and arrays of that total.
void Sizing::joined(std::span<const Use> results, SizeId extent) {
    for (const Use& result : results.subspan(1))
        require_.equal(shape_of(results[0])[0], shape_of(result)[0], [] { return std::string("vmap: results, axis 0"); });
    add({});
    add({&extent, 1});
    const SizeId total = given_.value_of({term_, 0, false, true});
    out_.sizes.set_nonnegative(total);
    for (std::size_t k = 0; k < results.size(); ++k) add({&total, 1});
}

/// Inits and what the body returns have the shape of a slice.
void Sizing::rows(const front::Rows& op) {
    const std::size_t count = op.args.size();
    const char* name = op.kind == ir::Rows::Kind::fold ? "fold" : "scan";
    auto require = [&](std::span<const SizeId> shape, std::span<const SizeId> like, std::string_view what) {
        for (std::size_t axis = 0; axis < like.size(); ++axis)
            require_.equal(shape[axis], like[axis], [&] { return fmt::format("{}: {}, axis {}", name, what, axis); });
    };
    same_shapes(count, count, "arguments");
    const auto first = shape_of(use(count));
    const std::vector<SizeId> all(first.begin(), first.end()), slice(first.begin() + 1, first.end());
    for (std::size_t k = 0; k < count; ++k) require(shape_of(use(k)), slice, "initial value and slice");
    for (const Use& result : pruned_.in(pruned_.scopes[pruned_[term_].scopes.begin].results))
        require(shape_of(result), slice, "the operator's result and a slice");
    for (std::size_t k = 0; k < count; ++k) add(op.kind == ir::Rows::Kind::fold ? slice : all);
}

}  // namespace sinter::convert
