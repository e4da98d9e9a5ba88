// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The rules of lift, one per operation. Operations have old names; each rule ends with define_results(). `types` are those
/// of the results, with new names and lifted.
#pragma once

#include "enable/flatten/flats.hpp"

namespace sinter::enable {

using Types = std::vector<ir::Type>;

// lift_map.cpp
void lift_map(Slices& slices, const ir::Map& map, const Types& types);
void lift_fold(Slices& slices, const ir::Fold& fold, const Types& types);
void lift_scan(Slices& slices, const ir::Scan& scan, const Types& types);
/// Returns the first result of the lifted map, but does not define it.
ir::ValueId map_arrays(Slices& slices, const ir::Map& map, const Types& types);

// lift_view.cpp
void lift_view(Slices& slices, const ir::View& view, const Types& types);

// lift_access.cpp
void lift_gather(Slices& slices, const ir::Gather& gather, const Types& types, const Flags& flags);
void lift_scatter(Slices& slices, const ir::Scatter& scatter, const Types& types);
void lift_sort(Slices& slices, const ir::Sort& sort, const Types& types);
void lift_force(Slices& slices, const ir::Force& force, const Flags& flags);

// lift_control.cpp
void lift_cond(Slices& slices, ir::Cond& cond, const Types& types, const Flags& flags);
void lift_loop(Slices& slices, ir::Loop& loop, const Types& types, const Flags& flags);
void lift_custom(Flats& flats, ir::Custom& custom, const Types& types);

// lift_shared.cpp
/// What all slices share is computed, if it can fail, only if a slice takes part. Operands have new names.
void mask_shared(Slices& slices, ir::ArrayOp& op, const Types& types);
/// The same gather as a map: reads in a function can be masked.
ir::Map as_map(const ir::Gather& gather, const Types& types);
/// -1 where `wanted`, which has the index's shape, is false: the element is dropped. An index of -1 that is an error remains
/// one, as -2.
ir::ValueId masked_index(Slices& slices, ir::ValueId index, bool drops, ir::ValueId wanted);

}  // namespace sinter::enable
