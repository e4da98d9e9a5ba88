// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An array with one line per direction, say, is read at the places that the elements of another array name, for all
/// directions, and the result has the directions innermost:
///     transpose(map {d, i -> f(xs[d, is[i]])})
/// As written, each read and each write is in a line of memory of its own. Instead, xs is transposed once, and the map has
/// the directions innermost: then all directions of a place are beside each other, in what is read and in what is written.
/// The Jacobian of anything that is gathered has this form in forward mode.
#pragma once

#include "enable/wishes.hpp"

namespace sinter::enable {

/// The wishes under which this is done: xs has no more elements than the map, and more than caches have. Enters sizes into
/// the program's table.
std::vector<Wish> wishes_of_turned_reads(ir::Program& program);
/// Does it where the wishes `holding` allow it.
ir::Program turned_reads(ir::Program program, std::span<const Wish> holding);

}  // namespace sinter::enable
