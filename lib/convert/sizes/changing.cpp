// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/sizes/changing.hpp"

#include <algorithm>
#include <bit>

namespace sinter::convert {

namespace {

/// Marks the parameter for state k of the loop to which `scope` belongs, in each of its scopes; states are the last
/// parameters.
void mark_state(Pruned& pruned, const Changing& each) {
    const Scope& scope = pruned.scopes[pruned[each.term].binder.index];
    const std::uint32_t from_end = scope.params.end - each.term.index;
    const Range scopes = pruned[scope.owner].scopes;
    for (std::uint32_t s = scopes.begin; s < scopes.end; ++s)
        pruned.terms[pruned.scopes[s].params.end - from_end].changing |= Term::changing_bit(each.axis);
}

/// The number of extents of its own that a term has, without those of a loop's states.
std::uint32_t count_changing(const Term& term) {
    if (!std::holds_alternative<front::Cond>(term.node->op)) return static_cast<std::uint32_t>(std::popcount(term.changing));
    std::size_t axes = 0;
    for (const front::LeafType& type : term.node->types) axes += type.shape.size();
    std::uint32_t count = 0;
    for (std::size_t axis = 0; axis < axes; ++axis) count += term.changes(axis);
    return count;
}

}  // namespace

void change_extents(Pruned& pruned, const std::vector<Changing>& changing) {
    for (const Changing& each : changing) {
        if (pruned[each.term].binder.valid())
            mark_state(pruned, each);
        else
            pruned.terms[each.term.index].changing |= Term::changing_bit(each.axis);
    }
    pruned.variables = 0;
    for (Term& term : pruned.terms) {
        term.extents = count_changing(term);
        if (std::holds_alternative<front::Loop>(term.node->op)) {
            const Range states = pruned.scopes[term.scopes.end - 1].params;
            for (std::uint32_t p = states.begin; p < states.end; ++p) term.extents += pruned.terms[p].extents;
        }
        term.first_variable = pruned.variables;
        pruned.variables += static_cast<std::uint32_t>(term.variables());
    }
}

}  // namespace sinter::convert
