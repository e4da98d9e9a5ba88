// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Symbolic extents of every term, and what must be checked before the program may run.
#pragma once

#include "convert/sharing/prune.hpp"
#include "convert/sizes/equalities.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sinter::convert {

/// Two sizes that must be equal, and the action of the user that requires it.
struct Requirement {
    enum class Place {
        call,    ///< in the outermost scope in which both sides are known, because all sizes rely on it
        branch,  ///< the same, but inside the branch of a conditional if the term is executed in one
        term,    ///< where the term is executed
    };
    SizeId left, right;
    TermId term;
    std::string message;
    Place place = Place::call;
    ScopeId home = ScopeId(0);  ///< the scope that checks it, set by float_terms; invalid if nothing that is executed needs
                                ///< it
};

/// Sizes that name terms: input_extent(v, axis) is an extent of variable v (an input or a program parameter), value(v) is
/// the value of variable v, and argument(k) is `literals[k]`. Binding renumbers them (bind.hpp).
struct Sized {
    Equalities sizes;
    std::vector<std::int64_t> literals;       ///< distinct
    std::vector<SizeId> extents;              ///< of all variables, outermost first, not resolved
    std::vector<std::uint32_t> first_extent;  ///< one per variable, plus one
    std::vector<SizeId> starts;               ///< the starts of all slices and reversals
    std::vector<Range> starts_of;             ///< one per term: its starts
    std::vector<Requirement> requirements;
    std::vector<TermId> term_of;  ///< one per variable

    /// Calls visit(TermId) on every term whose value `size` mentions, without resolving it.
    template <class F>
    void for_each_value(SizeId size, F visit) {
        if (!sizes.mentions_value(size)) return;
        for_each_part(sizes.table, size, [&](SizeId part) {
            if (sizes.table[part].kind == Size::Kind::value)
                visit(term_of[static_cast<std::size_t>(sizes.table[part].index)]);
            return true;
        });
    }

    std::span<const SizeId> shape(std::uint32_t variable) const {
        return std::span(extents).subspan(first_extent[variable], first_extent[variable + 1] - first_extent[variable]);
    }
};

/// Gives every result its extents by the type rule of its operation, and unifies whatever the operation needs to be equal.
/// What cannot be proved becomes a requirement. Literal sizes become arguments, and equal ones become the same argument;
/// only a slice's start 0 or 1 stays a constant (it tells a stencil's offsets apart). i64 scalars computed from extents and
/// literals by +, -, *, min and max are sizes themselves. Throws ShapeError where sizes are known and differ.
/// A loop's state keeps an extent if this can be proved, or is known, under the assumption that all states keep theirs. A
/// state that does not keep its extent gets a variable for it, in `pruned` (changing.hpp).
/// Linear in terms and extents, each time that more extents are found to change; relies on prune's order.
Sized size(Pruned& pruned);

}  // namespace sinter::convert
