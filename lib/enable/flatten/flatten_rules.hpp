// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What becomes of operations on arrays whose shapes differ from slice to slice, one rule per operation. Operations and
/// types have old names.
#pragma once

#include "enable/flatten/flats.hpp"

namespace sinter::enable {

using Types = std::vector<ir::Type>;

// flatten_map.cpp
void flatten_map(Flats& flats, const ir::Map& map, const Types& types);
void flatten_gather(Flats& flats, const ir::Gather& gather, const Types& types);
void flatten_force(Flats& flats, const ir::Force& force, const Types& types);

// flatten_fold.cpp
void flatten_fold(Flats& flats, const ir::Fold& fold, const Types& types);

// flatten_view.cpp
void flatten_view(Flats& flats, const ir::View& view, const Types& types);

// flatten_scan.cpp
void flatten_scan(Flats& flats, const ir::Scan& scan, const Types& types);

// flatten_order.cpp
void flatten_sort(Flats& flats, const ir::Sort& sort, const Types& types);
void flatten_compact(Flats& flats, const ir::Compact& compact, const Types& types);
void flatten_scatter(Flats& flats, const ir::Scatter& scatter, const Types& types);

// flatten_loop.cpp
void flatten_loop(Flats& flats, ir::Loop& loop, const Types& types);

// flatten_cond.cpp
void flatten_cond(Flats& flats, ir::Cond& cond, const Types& types);

/// The results of a function of the slice for these arguments, which are followed by its captured scalars. These may have
/// one value for each of the indices `outer`.
Locals call(Flats& flats, ElementWriter& to, const ir::Fn& fn, const ir::Captures& captures, Locals arguments,
            ir::Local slice, const Locals& outer);
/// The same if the scalars are among the arguments.
Locals inlined(Flats& flats, ElementWriter& to, const ir::Fn& fn, const std::vector<ir::ValueId>& arrays, Locals arguments,
               ir::Local slice);
/// Of an element of such a function, in instructions.
std::size_t cost_of(const Flats& flats, const ir::Fn& fn, const std::vector<ir::ValueId>& args,
                    const ir::Captures& captures);

}  // namespace sinter::enable
