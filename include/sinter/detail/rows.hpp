// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Files of which every rank reads and writes its own rows: what npy.hpp, checkpoints.hpp, hdf5.hpp and netcdf.hpp are made
/// of. Definitions: lib/run/ranks/arrays/rows.cpp.
#pragma once

#include <sinter/detail/handle.hpp>
#include <sinter/detail/ranks.hpp>
#include <sinter/detail/scalar.hpp>

#include <exception>

namespace sinter::detail {

/// An array of uninitialised elements. It is in blocks, so that only this rank's rows are to be written, if `bytes` (those
/// of all leaves of all elements) are worth it; otherwise each rank writes all of it. MemoryError if there is no room.
SINTER_API LeafRef make_rows(Scalar scalar, const std::int64_t* shape, std::size_t rank, std::int64_t bytes, location where);
/// True if ranks have only their own rows of it, those of own_part. The same on all ranks.
SINTER_API bool in_blocks(const LeafRef& array, location where);

/// `mine` is what went wrong on this rank, or null. Throws on all ranks the error of the first rank that has one.
SINTER_API void agree_ranks(const char* what, const std::exception_ptr& mine, location where);

/// Calls f() on all ranks, which all throw if one does.
template <class F>
void together(const char* what, location where, F f) {
    std::exception_ptr mine;
    try {
        f();
    } catch (...) {
        mine = std::current_exception();
    }
    agree_ranks(what, mine, where);
}

/// Files are shared by the threads that made Ranks. Limitation on others, if there are several ranks.
SINTER_API void meet_for_file(const char* what, std::uint64_t number, location where);

}  // namespace sinter::detail
