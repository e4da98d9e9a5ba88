// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Operators of scans that differ from slice to slice, as one operator for all elements of all slices: each element carries
/// what the operator of its slice captures. Within a slice that is the same for all, so it does not matter whose the
/// operator takes; it takes the later element's.
#pragma once

#include "enable/flatten/flats.hpp"

namespace sinter::enable {

class Carrying {
  public:
    /// `op`: states.., elements.., captured scalars.. -> states.. Captures have old names.
    Carrying(Flats& flats, const ir::Fn& op, const ir::Captures& captures, std::size_t states);

    /// What is carried, and what that is for an element, whose line has the index `outer`.
    const std::vector<ir::Scalar>& types() const { return types_; }
    Locals values(ElementWriter& to, ir::Local slice, const Locals& outer) const;
    /// states.., elements.., carried.. -> states..
    ElementWriter::Written next() const;
    /// The same with as many elements as states: states.., carried.., elements.., carried.. -> states.., carried..
    ElementWriter::Written combine() const;

  private:
    Locals apply(ElementWriter& to, Locals arguments, const Locals& carried) const;
    ElementWriter::Written write(const std::vector<ir::Scalar>& params, const ElementWriter::Emit& emit) const;

    Flats* flats_;
    const ir::Fn* op_;
    const ir::Captures* captures_;
    std::size_t states_, elements_;
    bool slices_ = false;  ///< the number of the slice is carried, too: the operator reads arrays
    std::vector<ir::Scalar> types_;
};

}  // namespace sinter::enable
