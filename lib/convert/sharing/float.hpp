// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stage 2 of sharing recovery (McDonell 2013, section 3.3): where each term is bound.
#pragma once

#include "convert/live.hpp"
#include "convert/sharing/prune.hpp"
#include "convert/sizes/sizes.hpp"

#include <vector>

namespace sinter::convert {

struct Floated {
    std::vector<ScopeId> home;         ///< one a term: the scope that binds it; invalid for terms that are not live
    std::vector<ScopeId> parent;       ///< one a scope: the scope its owner is bound in; invalid for the program
    std::vector<std::uint32_t> depth;  ///< one a scope: how many scopes are around it

    /// The innermost scope around both.
    ScopeId common(ScopeId a, ScopeId b) const;
    /// False also while `outer` has no place yet.
    bool encloses(ScopeId outer, ScopeId inner) const {
        return outer == ScopeId(0) || (parent[outer.index].valid() && common(outer, inner) == outer);
    }
};

/// The home of a term is the innermost scope around all its uses: a term used in one branch of a cond stays there and is not
/// computed if the branch is not taken; used in both it is computed before. From a loop's condition or body a term that does
/// not depend on the loop's parameters moves out, unless
///   - it may fail or not end (a loop of no trips would execute it), or an operand of it may: these stay;
///   - it costs nothing to repeat (views, sizes, literals, small generates): inside it fuses with its users.
/// A scalar whose value is a size counts as used where the size is mentioned; by a requirement: in the scope that becomes
/// the requirement's home (Requirement::Place). Throws UsageError where a term is used outside the scope whose parameter it
/// needs, ShapeError for a requirement that is known not to hold and that no branch guards. Linear in terms and uses, times
/// the depth of nesting where a use crosses scopes.
Floated float_terms(const Pruned& pruned, Sized& sized, const Live& live);

}  // namespace sinter::convert
