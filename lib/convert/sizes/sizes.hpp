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

/// Two sizes that must be equal, and what the user did that needs it.
struct Requirement {
    enum class Place {
        call,    ///< in the outermost scope in which both sides are known: all sizes rely on it
        branch,  ///< the same, but in the branch of a conditional where the term is executed in one
        term,    ///< where the term is executed
    };
    SizeId left, right;
    TermId term;
    std::string message;
    Place place = Place::call;
    ScopeId home = ScopeId(0);  ///< the scope that checks it, given by float_terms; invalid: nothing executed needs it
};

/// Sizes that name terms: input_extent(v, axis) is an extent of variable v (an input's or a program parameter's), value(v)
/// the value of variable v, argument(k) is `literals[k]`. Binding renumbers them (bind.hpp).
struct Sized {
    Equalities sizes;
    std::vector<std::int64_t> literals;       ///< distinct
    std::vector<SizeId> extents;              ///< of all variables, outermost first; not resolved
    std::vector<std::uint32_t> first_extent;  ///< one a variable and one more
    std::vector<SizeId> starts;               ///< of all slices and reversals
    std::vector<Range> starts_of;             ///< one a term: its starts
    std::vector<Requirement> requirements;
    std::vector<TermId> term_of;  ///< one a variable

    /// Calls visit(TermId) on every term whose value `size` mentions, as it stands.
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

/// Gives every result its extents by the type rule of its operation and unifies what the operation needs to be equal. What
/// cannot be proved becomes a requirement. Literal sizes become arguments, equal ones the same; only a slice's start 0 or 1
/// stays a constant (it tells a stencil's offsets apart). i64 scalars made from extents and literals by +, -, *, min
/// and max are sizes themselves. Throws ShapeError where sizes are known and differ.
/// A loop's state keeps an extent if that is proved, or known, of the extents its body has if its states keep theirs. What
/// does not keep its extent gets a variable for it, in `pruned` (changing.hpp).
/// Linear in terms and extents, for each time that more extents are found to change; needs prune's order.
Sized size(Pruned& pruned);

}  // namespace sinter::convert
