// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What ranks.hpp is made of. Definitions: lib/run/ranks.
#pragma once

#include <sinter/detail/export.hpp>
#include <sinter/error.hpp>

#include <cstddef>
#include <cstdint>

namespace sinter {

/// Outer indices, from first up to, without, last.
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
/// Of this many rows those of this rank: all ranks have as many, or one more.
SINTER_API Part own_part(std::int64_t rows) noexcept;
/// All ranks' bytes, in their order. bytes: one a rank.
SINTER_API void gather_ranks(const void* mine, void* all, const std::size_t* bytes, location where);
/// All ranks are at the same place: `what`, with this number, for instance a type's. Otherwise a UsageError on all of them,
/// after which the ranks do nothing together any more.
SINTER_API void meet_ranks(const char* what, std::uint64_t number, location where);
/// Rank 0's word of whether something that it alone has done went well.
SINTER_API bool tell_ranks(bool well, const char* what, location where);

}  // namespace sinter::detail
