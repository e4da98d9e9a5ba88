// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Rows of arrays between memory, where each leaf lies apart, and datasets, where the leaves of an element lie together.
#pragma once

#include "types.hpp"

namespace sinter::hdf5 {

/// Rows of a part of a dataset.
struct Rows {
    const files::Slab& slab;
    const StoredElement& element;  ///< of the dataset
    std::int64_t begin, end;
};

/// scalars: those of the leaves, which may differ from the dataset's.
void read_rows(const Place& place, hid_t dataset, const Rows& rows, const std::vector<Scalar>& scalars,
               const files::Columns& columns);
void write_rows(const Place& place, hid_t dataset, const Rows& rows, const files::Columns& columns);

}  // namespace sinter::hdf5
