// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of operations of which random programs consist, one per file.
#pragma once

#include "random/pool.hpp"

namespace random_programs {

class Kind {
  public:
    virtual ~Kind() = default;
    /// Adds a result or a few.
    virtual void grow(Pool& pool) const = 0;
};

const Kind& maps();
const Kind& views();
const Kind& joins();
const Kind& gathers();
const Kind& folds();
const Kind& passes();
const Kind& scans();
const Kind& recurrences();
const Kind& filters();
const Kind& scatters();
const Kind& sorts();
const Kind& stencils();
const Kind& segments();
const Kind& updates();
const Kind& floats();
const Kind& control();
const Kind& slices();
const Kind& irregular_slices();
const Kind& stencil_loops();
const Kind& element_loops();

// Those that only programs of Repertoire::all have.
const Kind& flat_indices();
const Kind& repeats();
const Kind& short_rows();
const Kind& guarded_reads();

const Kind& any_kind(Pool& pool);

}  // namespace random_programs
