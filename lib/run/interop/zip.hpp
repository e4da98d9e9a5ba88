// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// ZIP archives (PKWARE's APPNOTE 6.3), with 64-bit sizes where they are needed. Members are stored or deflated.
#pragma once

#include "run/interop/file.hpp"

namespace sinter::runtime {

struct ZipMember {
    std::string name;
    std::uint64_t offset;  ///< position of its local header
    std::uint64_t compressed, size;
    std::uint32_t crc;
    std::uint16_t method;
};

/// The members of an archive, in order. Errors name `file`.
std::vector<ZipMember> list_zip(const Source& file, std::span<const unsigned char> archive);
Bytes extract(const Source& file, std::span<const unsigned char> archive, const ZipMember& member);

/// Writes members one after another, and then the directory.
class ZipWriter {
  public:
    explicit ZipWriter(File& file) : file_(file) {}
    /// `parts` are the parts of a member's contents, one after another.
    void add(const std::string& name, std::span<const std::span<const unsigned char>> parts);
    void finish();

  private:
    void write(const Bytes& bytes);
    File& file_;
    std::uint64_t offset_ = 0;
    std::vector<ZipMember> members_;
};

}  // namespace sinter::runtime
