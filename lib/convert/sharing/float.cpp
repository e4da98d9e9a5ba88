// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// McDonell 2013 floats a shared term upwards, counting occurrences, until all of them are met: just above the lowest node
// that dominates them. Our target is in A-normal form: a scope is one sequence in which every term is bound. So only the
// scope of the dominator matters, and within the sequence the place just before the first use dominates all uses. The scope
// is the least common ancestor of the uses' scopes; the order is prune's post-order, in which a term comes just before its
// first use. This also satisfies the condition "deeper origins on top": what a shared term uses comes before it.
//
// Terms are visited from the last to the first, so users come before what they use. When a term is visited, its home is
// final; then so are the place of its operands' uses (its home) and that of its scopes in the tree (inside its home).
#include "convert/sharing/float.hpp"

#include "convert/sharing/needs.hpp"
#include "convert/sizes/speculate.hpp"

#include <fmt/format.h>

namespace sinter::convert {

ScopeId Floated::common(ScopeId a, ScopeId b) const {
    while (a != b) {
        if (depth[a.index] >= depth[b.index])
            a = parent[a.index];
        else
            b = parent[b.index];
    }
    return a;
}

namespace {

bool has_scopes(const Term& term) { return term.scopes.begin != term.scopes.end; }

/// Reports that the result of a `vmap` has a size that `source` computes inside.
[[noreturn]] void refuse_inner_size(const front::Node& node, const front::Node& source) {
    const std::string what = std::holds_alternative<front::Rows>(node.op) ? "an operator of rows" : front::name_of(node.op);
    if (std::holds_alternative<front::Derivative>(node.op) || std::holds_alternative<front::Custom>(node.op))
        throw Limitation(
            fmt::format("{}: the extents of a result are computed inside of the function; reduce it there", what),
            node.where);
    if (std::holds_alternative<front::Foreign>(source.op))
        throw Limitation(fmt::format("{}: the size of a foreign function's result may differ from slice to slice; use "
                                     "vmap(ragged, f, a), or reshape what a foreign function returns to a known shape",
                                     what),
                         node.where);
    const char* by = std::holds_alternative<front::Compact>(source.op) ? "filter, partition or compact" : "what is inside";
    throw Limitation(
        fmt::format("{}: {}: the size of a result is computed inside, and may differ from slice to slice (irregular "
                    "nesting); use vmap(ragged, f, a), or a mask",
                    what, by),
        node.where);
}

class Floating {
  public:
    Floating(const Pruned& pruned, Sized& sized, const Live& live)
        : pruned_(pruned),
          sized_(sized),
          live_(live),
          needs_(pruned),
          movable_(pruned.terms.size()),
          waiting_(pruned.scopes.size()),
          of_term_(pruned.terms.size()) {
        out_.home.resize(pruned.terms.size());
        out_.parent.resize(pruned.scopes.size());
        out_.depth.resize(pruned.scopes.size());
    }

    Floated run() {
        for (std::size_t t = 0; t < pruned_.terms.size(); ++t) look_at(TermId(t));
        place_uses(pruned_.scopes[0].results, ScopeId(0));
        place_requirements();
        place_later_sizes();
        for (std::size_t t = pruned_.terms.size(); t-- > 0;)
            if (live_.terms[t]) place(TermId(t));
        for (Requirement& requirement : sized_.requirements) {
            if (!is_placed(requirement.home)) requirement.home = {};
            if (is_violated(requirement)) refuse(requirement);
        }
        return std::move(out_);
    }

  private:
    void look_at(TermId id);
    void place(TermId id);
    void place_use(TermId used, ScopeId at);
    void place_uses(Range uses, ScopeId at);
    void place_sizes(TermId id, ScopeId at);
    void place_later_sizes();
    template <class F>
    void for_each_size(TermId id, F visit);
    ScopeId need_of(const Requirement& requirement);
    void place_requirements();
    void place_requirement(Requirement& requirement, ScopeId home);
    void place_with_term(Requirement& requirement, ScopeId home);
    ScopeId out_of_slices(ScopeId scope) const;
    ScopeId out_of_loops(const Requirement& requirement, ScopeId scope);
    bool is_violated(const Requirement& requirement);
    [[noreturn]] void refuse(const Requirement& requirement);
    bool is_placed(ScopeId scope) const {
        return scope == ScopeId(0) || (scope.valid() && out_.parent[scope.index].valid());
    }
    ScopeId moved_out(TermId id, ScopeId home) const;
    bool in_loop(ScopeId scope) const { return pruned_.owner<front::Loop>(scope) != nullptr; }
    bool in_branch(ScopeId scope) const { return pruned_.owner<front::Cond>(scope) != nullptr; }
    bool in_slices(ScopeId scope) const { return pruned_.owner<front::Vmap>(scope) || pruned_.owner<front::Rows>(scope); }

    const Pruned& pruned_;
    Sized& sized_;
    const Live& live_;
    Floated out_;
    Needs needs_;
    std::vector<bool> movable_;  ///< it may be executed although nothing asks for it, and so may everything that it uses
    std::vector<std::vector<std::size_t>> waiting_;  ///< one per scope: requirements that are checked in it
    std::vector<std::vector<std::size_t>> of_term_;  ///< one per term: requirements that are placed with it
};

void Floating::look_at(TermId id) {
    const Term& term = pruned_[id];
    bool movable = may_speculate(*term.node);
    auto use_all = [&](Range uses) {
        for (const Use& use : pruned_.in(uses)) movable = movable && movable_[use.term.index];
    };
    use_all(term.uses);
    for (std::uint32_t s = term.scopes.begin; s < term.scopes.end; ++s) use_all(pruned_.scopes[s].results);
    movable_[id.index] = movable;
}

ScopeId Floating::moved_out(TermId id, ScopeId home) const {
    if (!in_loop(home) || !movable_[id.index] || is_free(*pruned_[id].node)) return home;
    while (home != needs_.of(id) && in_loop(home)) home = out_.parent[home.index];
    return home;
}

void Floating::place_use(TermId used, ScopeId at) {
    ScopeId& home = out_.home[used.index];
    home = home.valid() ? out_.common(home, at) : at;
}

void Floating::place_uses(Range uses, ScopeId at) {
    for (const Use& use : pruned_.in(uses))
        if (!use.as_size) place_use(use.term, at);
}

/// Calls visit(SizeId) on every size that the term mentions, resolved.
template <class F>
void Floating::for_each_size(TermId id, F visit) {
    const Term& term = pruned_[id];
    for (std::uint32_t r = 0; r < term.node->types.size(); ++r)
        for (SizeId extent : sized_.shape(term.first_variable + r)) visit(sized_.sizes.resolve(extent));
    for (std::uint32_t k = sized_.starts_of[id.index].begin; k < sized_.starts_of[id.index].end; ++k)
        visit(sized_.sizes.resolve(sized_.starts[k]));
}

void Floating::place_sizes(TermId id, ScopeId at) {
    for_each_size(id, [&](SizeId size) {
        sized_.for_each_value(size, [&](TermId used) {
            if (has_scopes(pruned_[id]) && !out_.encloses(needs_.of(used), at))
                refuse_inner_size(*pruned_[id].node, *pruned_[used].node);
            place_use(used, at);
        });
    });
}

/// An extent within a loop may be equal to one that a later term of a scope around it computes, and is written as that one:
/// then that term goes to its own scope, before the loop.
void Floating::place_later_sizes() {
    for (std::size_t t = 0; t < pruned_.terms.size(); ++t)
        if (live_.terms[t])
            for_each_size(TermId(t), [&](SizeId size) {
                sized_.for_each_value(size, [&](TermId used) {
                    if (used.index > t && needs_.of(used) != needs_.of(TermId(t))) place_use(used, needs_.of(used));
                });
            });
}

/// The outermost scope in which both sides can be computed. The sizes of requirements are not resolved, because their own
/// equation would make them equal.
ScopeId Floating::need_of(const Requirement& requirement) {
    ScopeId need(0);
    for (SizeId side : {requirement.left, requirement.right})
        sized_.for_each_value(side, [&](TermId used) { need = needs_.innermost(need, needs_.of(used)); });
    return need;
}

void Floating::place_requirement(Requirement& requirement, ScopeId home) {
    requirement.home = home;
    for (SizeId side : {requirement.left, requirement.right})
        sized_.for_each_value(side, [&](TermId used) { place_use(used, home); });
}

/// Slices are executed together, so nothing may depend on a single one: the scope around all of them.
ScopeId Floating::out_of_slices(ScopeId scope) const {
    for (ScopeId around = scope; around != ScopeId(0); around = out_.parent[around.index])
        if (in_slices(around)) scope = out_.parent[around.index];
    return scope;
}

/// A loop's body is checked before the loop where that is possible; what a branch needs is checked in the branch.
ScopeId Floating::out_of_loops(const Requirement& requirement, ScopeId scope) {
    const ScopeId need = need_of(requirement), outside = out_of_slices(scope);
    if (out_.encloses(need, outside)) scope = outside;
    while (scope != need && !in_branch(scope)) scope = out_.parent[scope.index];
    return scope;
}

/// What functions of slices need is checked outside of them where that is possible, and else in each slice.
void Floating::place_with_term(Requirement& requirement, ScopeId home) {
    if (requirement.place == Requirement::Place::branch)
        return place_requirement(requirement, out_of_loops(requirement, home));
    ScopeId outside = home;
    while (in_slices(outside)) outside = out_.parent[outside.index];
    place_requirement(requirement, out_.encloses(need_of(requirement), outside) ? outside : home);
}

void Floating::refuse(const Requirement& requirement) {
    throw ShapeError(fmt::format("{}: {} exceeds {}", requirement.message, *sized_.sizes.known(requirement.left),
                                 *sized_.sizes.known(requirement.right)),
                     pruned_[requirement.term].node->where);
}

/// True if it is known not to hold and no condition keeps it from being executed.
bool Floating::is_violated(const Requirement& requirement) {
    if (requirement.place != Requirement::Place::branch || !is_placed(requirement.home)) return false;
    for (ScopeId scope = requirement.home; scope.valid(); scope = out_.parent[scope.index])
        if (in_branch(scope)) return false;
    const auto left = sized_.sizes.known(requirement.left), right = sized_.sizes.known(requirement.right);
    return left && right && *left > *right;
}

/// Requirements of the program's scope are uses like its results. The others wait until their scope or term has a place.
void Floating::place_requirements() {
    for (std::size_t k = 0; k < sized_.requirements.size(); ++k) {
        Requirement& requirement = sized_.requirements[k];
        const bool only_extents = requirement.place == Requirement::Place::branch && !live_.terms[requirement.term.index];
        if (requirement.place != Requirement::Place::call && !only_extents) {
            requirement.home = ScopeId();
            of_term_[requirement.term.index].push_back(k);
            continue;
        }
        requirement.home = need_of(requirement);
        if (requirement.home == ScopeId(0)) {
            place_requirement(requirement, ScopeId(0));
        } else {
            waiting_[requirement.home.index].push_back(k);
        }
    }
}

void Floating::place(TermId id) {
    const Term& term = pruned_[id];
    ScopeId& home = out_.home[id.index];
    if (term.binder.valid() && !home.valid() && is_placed(term.binder)) home = term.binder;  // an unused parameter
    if (!home.valid() && needs_.of(id) != ScopeId(0)) return;  // used by a requirement of a scope that is not live
    if (!home.valid()) home = ScopeId(0);                      // an input that is needed only for its extents
    if (!out_.encloses(needs_.of(id), home))
        throw UsageError("an array or scalar of a loop body is used outside of it", term.node->where);
    home = term.binder.valid() ? term.binder : moved_out(id, home);
    for (std::uint32_t s = term.scopes.begin; s < term.scopes.end; ++s) {
        out_.parent[s] = home;
        out_.depth[s] = out_.depth[home.index] + 1;
        for (std::size_t k : waiting_[s]) place_requirement(sized_.requirements[k], ScopeId(s));
    }
    for (std::size_t k : of_term_[id.index]) place_with_term(sized_.requirements[k], home);
    place_uses(term.uses, home);
    place_sizes(id, home);
    for (std::uint32_t s = term.scopes.begin; s < term.scopes.end; ++s) place_uses(pruned_.scopes[s].results, ScopeId(s));
}

}  // namespace

Floated float_terms(const Pruned& pruned, Sized& sized, const Live& live) { return Floating(pruned, sized, live).run(); }

}  // namespace sinter::convert
