// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory that other processes of this user can map, too. All of it lies in one file without a name, which the system
/// removes with the last process that has it, however that ends; a place in it is never used twice, so that what a process
/// has mapped of another one's file never becomes something else.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter {

inline constexpr std::int64_t page_bytes = 4096;

/// False where the system has no such files, or other pages.
bool can_share_memory();

/// At the beginning of a page. Null if there is no memory. The process that has forked this one keeps what it has.
void* map_shared(std::size_t bytes) noexcept;
void unmap_shared(void* memory, std::size_t bytes) noexcept;

/// Where what map_shared() has returned lies in the file; -1 for other memory.
std::int64_t offset_in_shared(const void* memory);
/// The file, as a descriptor of this process.
int shared_file();

}  // namespace sinter
