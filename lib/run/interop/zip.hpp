// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// ZIP archives (PKWARE's APPNOTE 6.3), with 64-bit sizes where they are needed. Members are stored or deflated.
#pragma once

#include "run/interop/shared_file.hpp"

namespace sinter::runtime {

using Data = std::span<const unsigned char>;

inline Data bytes_of(const std::string& text) { return {reinterpret_cast<const unsigned char*>(text.data()), text.size()}; }

struct ZipMember {
    std::string name;
    std::uint64_t offset;  ///< position of its local header
    std::uint64_t compressed, size;
    std::uint32_t crc;
    std::uint16_t method;
};

/// The members of an archive, in order.
std::vector<ZipMember> list_zip(const SharedFile& file);
/// Where the contents of a member begin.
std::uint64_t contents_of(const SharedFile& file, const ZipMember& member);
/// True if they are stored as they are.
bool is_stored(const ZipMember& member);
Bytes extract(const SharedFile& file, const ZipMember& member);

/// What stands before a member that is stored: its length depends on the member's name, size and offset only.
Bytes zip_header(const ZipMember& member);
/// What ends an archive of these members, at this position.
Bytes zip_directory(std::span<const ZipMember> members, std::uint64_t position);

}  // namespace sinter::runtime
