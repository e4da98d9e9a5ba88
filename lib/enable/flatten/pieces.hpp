// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The pieces of long slices, which are folded side by side (folding.hpp).
#pragma once

#include "enable/flatten/folding.hpp"

namespace sinter::enable {

class Pieces {
  public:
    /// True if slices may be long, and their pieces can be folded: along one axis, with an operator that reads no array
    /// that differs from slice to slice.
    static bool divides(Flats& flats, const Folding& folding);
    /// Emits the folds of all pieces.
    Pieces(Flats& flats, const Folding& folding);

    /// How many pieces a line of this length has, and how many elements come before them.
    static ir::Local count(ElementWriter& to, ir::Local length);
    static ir::Local remainder(ElementWriter& to, ir::Local length);
    /// The fold of piece `number` of a line.
    Locals read(ElementWriter& to, ir::Local slice, ir::Local number, const Locals& outer) const;

  private:
    /// Where a piece is: its slice, its first element, and the index of its line.
    struct Places {
        ir::ValueId first;
        std::size_t count;
        std::vector<ir::ValueId> all() const {
            std::vector<ir::ValueId> ids;
            for (std::size_t k = 0; k < count; ++k) ids.emplace_back(first.index + k);
            return ids;
        }
    };
    Places places() const;
    Locals shape(ElementWriter& to, ir::Local slice) const;
    ir::Local slice_at(ElementWriter& to, ir::Local piece) const;
    Locals element(ElementWriter& to, const Locals& place, ir::Local i) const;
    void fold(const Folding& folding, const Places& places);
    ir::Captures captures(const Folding& folding, const Places& places) const;

    Flats* flats_;
    ir::ValueId arg_;
    std::size_t axis_;
    Element elements_;
    Segments segments_;                ///< one element per piece
    std::vector<ir::ValueId> values_;  ///< the folds of the pieces
};

/// An extent of an array of the slice. One that is computed may be negative: ShapeError.
ir::Local checked_extent(Flats& flats, ElementWriter& to, ir::ValueId array, std::size_t axis, ir::Local slice);

}  // namespace sinter::enable
