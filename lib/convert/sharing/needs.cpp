// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/sharing/needs.hpp"

#include <utility>

namespace sinter::convert {

Needs::Needs(const Pruned& pruned) : outer_(pruned.scopes.size()) {
    of_term_.reserve(pruned.terms.size());
    for (const Term& term : pruned.terms) {
        ScopeId need = term.binder.valid() ? term.binder : ScopeId(0);
        for (const Use& use : pruned.in(term.uses)) need = innermost(need, of(use.term));
        for (std::uint32_t s = term.scopes.begin; s < term.scopes.end; ++s)
            need = innermost(need, of_results(pruned, ScopeId(s)));
        of_term_.push_back(need);
    }
}

ScopeId Needs::innermost(ScopeId a, ScopeId b) {
    if (!a.valid()) return b;
    if (!b.valid() || a == b) return a;
    if (a < b) std::swap(a, b);
    ScopeId& outer = outer_[a.index];
    outer = innermost(outer, b);
    return a;
}

/// The scope outside `scope` that its results need.
ScopeId Needs::of_results(const Pruned& pruned, ScopeId scope) {
    ScopeId need;
    for (const Use& use : pruned.in(pruned.scopes[scope.index].results)) {
        ScopeId of_result = of(use.term);
        need = innermost(need, of_result == scope ? outer_[scope.index] : of_result);
    }
    return need;
}

}  // namespace sinter::convert
