// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Small files that several processes read and replace. Nothing here throws but std::bad_alloc: it fails.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sinter {

struct OwnFile {
    std::string content;
    std::int64_t modified;  ///< seconds since 1970
};

/// A regular file that belongs to this user or to the system.
std::optional<OwnFile> read_own_file(const std::string& path);

/// Makes now the time of its last modification.
void mark_used(const std::string& path);

/// Readers see the old content or all of the new one. Until then it is in a file of the same folder whose name ends with
/// `unfinished`; a process that is killed leaves that behind.
bool replace_file(const std::string& path, std::string_view unfinished, std::string_view content);

}  // namespace sinter
