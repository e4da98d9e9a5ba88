// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Sizes that the user gives: literals and scalars of the program.
#pragma once

#include "convert/hash_table.hpp"
#include "convert/sharing/needs.hpp"
#include "convert/sizes/divisors.hpp"
#include "convert/sizes/sizes.hpp"

#include <vector>

namespace sinter::convert {

class GivenSizes {
  public:
    GivenSizes(const Pruned& pruned, Sized& sized)
        : pruned_(pruned), sized_(sized), needs_(pruned), divisors_(pruned), values_(pruned.variables) {}

    /// The size argument with this value.
    SizeId literal(std::int64_t value);
    /// The value of a rank-0 i64 variable as a size. Looks through scalars that are computed from sizes, to a bounded depth.
    SizeId value_of(const Use& use, int depth = 0);
    /// The value of variable `variable` of the term.
    SizeId value(TermId term, std::uint32_t variable);

  private:
    SizeId value_of_map(const Use& use, const front::Map& op, int depth);
    std::span<const SizeId> shape_of(const Use& use) const { return sized_.shape(pruned_.variable(use)); }

    const Pruned& pruned_;
    Sized& sized_;
    const Needs needs_;
    Divisors divisors_;
    std::vector<SizeId> values_;  ///< one per variable, if it has been asked for
    HashTable literals_;
};

}  // namespace sinter::convert
