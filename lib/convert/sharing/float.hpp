// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stage 2 of sharing recovery (McDonell 2013, section 3.3): where each term is bound.
#pragma once

#include "convert/live.hpp"
#include "convert/sharing/prune.hpp"
#include "convert/sizes/sizes.hpp"

#include <vector>

namespace sinter::convert {

struct Floated {
    std::vector<ScopeId> home;         ///< one per term: the scope that binds it; invalid for terms that are not live
    std::vector<ScopeId> parent;       ///< one per scope: the scope in which its owner is bound; invalid for the program
    std::vector<std::uint32_t> depth;  ///< one per scope: the number of scopes around it

    /// The innermost scope around both.
    ScopeId common(ScopeId a, ScopeId b) const;
    /// Also false as long as `outer` has no place.
    bool encloses(ScopeId outer, ScopeId inner) const {
        return outer == ScopeId(0) || (parent[outer.index].valid() && common(outer, inner) == outer);
    }
};

/// The home of a term is the innermost scope around all its uses: a term used in one branch of a cond stays there, and is
/// not computed if the branch is not taken; a term used in both branches is computed before. A term moves out of the
/// condition or body of a loop if it does not depend on the loop's parameters, unless
///   - it may fail or not terminate (a loop without iterations would execute it), or one of its operands may; or
///   - it costs nothing to repeat (views, sizes, literals, small generates): inside the loop it fuses with its users.
/// A scalar whose value is a size counts as used where the size is mentioned; if a requirement mentions it, that is the
/// scope that becomes the requirement's home (Requirement::Place). Throws UsageError where a term is used outside the scope
/// whose parameter it needs, and ShapeError for a requirement that is known not to hold and that no branch guards. Linear in
/// terms and uses, times the depth of nesting where a use crosses scopes.
Floated float_terms(const Pruned& pruned, Sized& sized, const Live& live);

}  // namespace sinter::convert
