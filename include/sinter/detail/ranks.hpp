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
SINTER_API void wait_for_ranks(const char* what, location where);

}  // namespace sinter::detail
