// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Folds of slices of different lengths: loops over the elements of a slice, which compute what they combine.
///
/// Many short slices fill the lanes and threads. A few long ones do not, and lanes that are filled with slices read far
/// apart. So a slice with many elements is cut into *pieces* of one length, the remainder excepted, which are folded as the
/// rows of an array are. How many there are is counted when the program runs: if all slices are short, that array has no
/// rows.
#pragma once

#include "enable/flatten/flats.hpp"

namespace sinter::enable {

/// What a fold of slices combines.
struct Folding {
    ir::Fn op;  ///< k states, k elements, captured scalars -> k states; associative
    ir::Captures captures;
    ir::ValueId arg;  ///< an array with the shape of what is folded
    std::vector<std::size_t> axes;
    Element elements;  ///< at an index of `arg`
    Element inits;     ///< at an index without `axes`
    bool commutative = false;
};

/// The fold as a function of the slice and the index without the axes. Emits what it reads: the pieces of long slices, or
/// the scan.
Element folded(Flats& flats, Folding folding);

}  // namespace sinter::enable
