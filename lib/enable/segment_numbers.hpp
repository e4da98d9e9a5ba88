// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Recognises index arrays that are the numbers of segments.
#pragma once

#include "ir/program.hpp"

#include <optional>
#include <vector>

namespace sinter::enable {

/// Segments one after another: their lengths, none of which is negative, and where they begin.
struct NumberedSegments {
    ir::ValueId lengths, starts;
};

/// The definitions of the variables in scope, by level, and the guards that hold there.
class Definitions {
  public:
    Definitions(const ir::SizeTable& sizes, const std::vector<ir::Type>& types) : sizes_(sizes), types_(types) {}

    void enter(const ir::Body& body) {
        made_.resize(made_.size() + body.params.size());
        bodies_.push_back(&body);
    }
    void add(const ir::Binding& binding) {
        for (std::size_t result = 0; result < binding.types.size(); ++result) made_.push_back({&binding, result});
    }
    /// Leaves the innermost body.
    void leave(std::size_t level) {
        made_.resize(level);
        bodies_.pop_back();
    }

    /// The segments of which `id` gives the number of each element's: what `expand` makes of the numbers of its elements,
    /// the running maximum of the numbers at the first elements of those that are not empty. They have as many elements as
    /// `id`.
    std::optional<NumberedSegments> numbered_by(ir::ValueId id) const;

  private:
    struct Made {
        const ir::Binding* binding = nullptr;
        std::size_t result = 0;
    };
    template <class Op>
    const Op* maker(ir::ValueId id, std::size_t result = 0) const;
    const ir::SizeId& extent(ir::ValueId id) const { return types_[id.index].shape[0]; }
    std::optional<NumberedSegments> marked_by(ir::ValueId id) const;
    bool is_iota(ir::ValueId id) const;
    bool is_zeros(ir::ValueId id) const;
    bool are_starts(ir::ValueId starts, ir::ValueId lengths) const;
    bool is_total(ir::SizeId size, const NumberedSegments& segments) const;
    bool is_total(ir::ValueId scalar, const NumberedSegments& segments) const;

    const ir::SizeTable& sizes_;
    const std::vector<ir::Type>& types_;
    std::vector<Made> made_;
    std::vector<const ir::Body*> bodies_;
};

}  // namespace sinter::enable
