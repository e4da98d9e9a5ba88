// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "random/kinds.hpp"

namespace random_programs {

const Kind& any_kind(Pool& pool) {
    using Make = const Kind& (*)();
    static constexpr Make simple[] = {maps,   maps,        views,   joins,    gathers, folds,    folds,    scans,   scans,
                                      passes, recurrences, filters, scatters, sorts,   stencils, segments, updates, floats};
    static constexpr Make nests[] = {control, slices, irregular_slices, stencil_loops, element_loops};
    static constexpr Make later[] = {flat_indices, repeats, short_rows, guarded_reads};
    if (pool.repertoire == Repertoire::all && pool.chance(40)) return later[pool.pick(std::size(later))]();
    if (pool.depth < 2 && pool.chance(15)) return nests[pool.pick(std::size(nests))]();
    return simple[pool.pick(std::size(simple))]();
}

}  // namespace random_programs
