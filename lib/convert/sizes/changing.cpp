// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "convert/sizes/changing.hpp"

#include <algorithm>
#include <bit>

namespace sinter::convert {

namespace {

/// The parameter of state k of the loop that `scope` belongs to, in each of its scopes; they are the last.
void mark(Pruned& pruned, const Changing& each) {
    const Scope& scope = pruned.scopes[pruned[each.parameter].binder.index];
    const std::uint32_t from_end = scope.params.end - each.parameter.index;
    const Range scopes = pruned[scope.owner].scopes;
    for (std::uint32_t s = scopes.begin; s < scopes.end; ++s)
        pruned.terms[pruned.scopes[s].params.end - from_end].changing |= std::uint64_t{1} << each.axis;
}

}  // namespace

void change_extents(Pruned& pruned, const std::vector<Changing>& changing) {
    for (const Changing& each : changing) mark(pruned, each);
    pruned.variables = 0;
    for (Term& term : pruned.terms) {
        term.extents = static_cast<std::uint32_t>(std::popcount(term.changing));
        if (std::holds_alternative<front::Loop>(term.node->op)) {
            const Range states = pruned.scopes[term.scopes.end - 1].params;
            for (std::uint32_t p = states.begin; p < states.end; ++p) term.extents += pruned.terms[p].extents;
        }
        term.first_variable = pruned.variables;
        pruned.variables += static_cast<std::uint32_t>(term.variables());
    }
}

}  // namespace sinter::convert
