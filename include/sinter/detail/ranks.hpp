// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The library's side of ranks.hpp. Definitions: lib/run/ranks.
#pragma once

#include <sinter/detail/export.hpp>
#include <sinter/detail/handle.hpp>
#include <sinter/error.hpp>

#include <cstddef>
#include <cstdint>

namespace sinter {

/// A range of outer indices, including first and excluding last.
struct Part {
    std::int64_t first = 0, last = 0;
};

}  // namespace sinter

namespace sinter::detail {

SINTER_API void join_ranks(int* argc, char*** argv, location where);
SINTER_API void leave_ranks() noexcept;
SINTER_API int rank_count() noexcept;
SINTER_API int own_rank() noexcept;
SINTER_API const char* transport_name() noexcept;
/// The rows, out of this many, that belong to this rank: all ranks have the same number, or one more.
SINTER_API Part own_part(std::int64_t rows) noexcept;
/// The memory of this rank's rows of an array, as the address of where element 0 would be. No messages; without Ranks, the
/// memory of the array. Throws UsageError where the rows of other ranks have gone with Ranks; DeviceError, MemoryError.
SINTER_API const void* own_rows(const LeafRef& array, location where);
/// The bytes of all ranks, in the order of ranks. bytes: the number for each rank.
SINTER_API void gather_ranks(const void* mine, void* all, const std::size_t* bytes, location where);
/// Checks that all ranks are at the same place: at `what`, with the same number, for instance that of a type. Otherwise all
/// of them throw a UsageError, after which the ranks no longer work together.
SINTER_API void meet_ranks(const char* what, std::uint64_t number, location where);
/// Inside a catch handler, where the other ranks are well: all ranks throw the error in flight. Where the process is alone,
/// it throws that.
[[noreturn]] SINTER_API void fail_ranks(location where);
/// Tells all ranks whether something that only rank 0 has done went well.
SINTER_API bool tell_ranks(bool well, const char* what, location where);

}  // namespace sinter::detail
