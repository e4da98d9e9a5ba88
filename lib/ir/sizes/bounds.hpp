// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What sizes are at least and at most while the counted loops around them run, and so which guards hold in all iterations.
#pragma once

#include "ir/sizes/linear.hpp"

#include <optional>
#include <unordered_map>

namespace sinter::ir {

/// Sizes that no loop changes.
struct Bounds {
    SizeId least, most;
};

/// `low` is at most `high`. Both are made of what a call gives values to.
struct AtMost {
    SizeId low, high;
    bool operator==(const AtMost&) const = default;
};

class SizeBounds {
  public:
    /// Enters the sizes of bounds into `sizes`. `forms`: of the scalars in scope. `inputs`: of the program.
    SizeBounds(SizeTable& sizes, LinearForms& forms, std::size_t inputs) : sizes_(sizes), forms_(forms), inputs_(inputs) {}

    /// From now on, the variable runs from 0 to `count` - 1.
    void count(ValueId counter, ValueId count);
    /// When levels that were known are those of other variables.
    void forget() { known_.clear(); }
    void forget(ValueId counter) { counters_.erase(counter.index), known_.clear(); }

    /// The size that a scalar stands for, if a call gives it.
    std::optional<SizeId> given(ValueId scalar) { return as_size(forms_.of(scalar)); }
    /// Nothing if there are none that a call gives.
    std::optional<Bounds> of(SizeId size);
    /// What suffices for the guard to hold in all iterations. Nothing if it is not known, or if the guard is not one of
    /// max(a, b) = a, which is how programs say b <= a.
    std::optional<AtMost> sufficient(const Guard& guard);
    /// True if that is so in every call.
    bool is_certain(const AtMost& condition) { return is_certain(condition.low, condition.high, most_nested); }

  private:
    std::optional<SizeId> as_size(const LinearForm& form);
    std::optional<Bounds> of_form(const LinearForm& form);
    std::optional<Bounds> of_term(Term term);
    std::optional<Bounds> compound(Size size);
    SizeId sum(SizeId a, std::int64_t factor, SizeId b);
    bool is_certain(SizeId low, SizeId high, int nested);

    /// Minima and maxima of minima and maxima that are looked into.
    static constexpr int most_nested = 4;

    SizeTable& sizes_;
    LinearForms& forms_;
    std::size_t inputs_;
    std::unordered_map<std::size_t, std::optional<SizeId>> counters_;  ///< by level: the number of iterations, if known
    std::unordered_map<SizeId, std::optional<Bounds>> known_;          ///< a memo, because sizes share parts
};

}  // namespace sinter::ir
