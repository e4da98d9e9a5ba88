// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Regular parts of arrays in files, as HDF5 and NetCDF know them.
#pragma once

#include <sinter/detail/stored_part.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sinter::files {

/// Along each axis of the stored array, the indices first, first + step, ...
struct Slab {
    std::vector<std::size_t> first, count, step;
    std::vector<std::size_t> kept;  ///< the axes that the array in memory has, too

    std::vector<std::int64_t> shape() const;
    std::size_t elements() const;
    /// Outer indices of the array in memory. A slab without axes is its own row 0.
    Slab rows(std::int64_t begin, std::int64_t end) const;
};

/// What went wrong with `name`, which is in a file: for messages.
struct Place {
    const char* what;
    std::string path, name;
    location where;

    std::string text(const std::string& message) const;
    [[noreturn]] void fail(const std::string& message) const;
    [[noreturn]] void fail_shape(const std::string& message) const;
};

/// All of an array of these extents.
Slab whole(const std::vector<std::size_t>& extents);
/// The part that the user has specified, or all if there are no parts. ShapeError if the array has another rank than `rank`
/// or than there are parts, or if it does not have these indices; UsageError for a step that is not positive.
Slab select(const Place& place, const std::vector<std::size_t>& extents, const detail::StoredPart* parts,
            std::size_t part_count, std::size_t rank);

std::string print(const std::vector<std::size_t>& extents);
std::string print(const std::vector<std::int64_t>& extents);

/// Calls f(begin, end) for ranges of rows that have about as many bytes as the processor's caches.
void each_block(std::int64_t begin, std::int64_t end, std::int64_t row_bytes,
                const std::function<void(std::int64_t, std::int64_t)>& f);

/// Where rows of an array are written to or read from: the address of where element 0 of each leaf would be.
using Columns = std::vector<std::byte*>;

/// New arrays of this rank's rows, which `read(begin, end, leaves)` fills in; together with other ranks.
void load_rows(const Place& place, const detail::Scalar* scalars, std::size_t leaf_count,
               const std::function<std::vector<std::int64_t>()>& shape,
               const std::function<void(std::int64_t, std::int64_t, const Columns&)>& read, detail::LeafRef* out);

/// One rank after another calls `write(begin, end, leaves)` with its rows, after rank 0 has called `prepare`. If no leaf is
/// in blocks, rank 0 writes all.
void save_rows(const Place& place, const std::vector<std::int64_t>& shape, const detail::LeafRef* leaves,
               std::size_t leaf_count, const std::function<void()>& prepare,
               const std::function<void(std::int64_t, std::int64_t, const Columns&)>& write);

}  // namespace sinter::files
