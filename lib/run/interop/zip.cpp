// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/interop/zip.hpp"

#include "run/interop/deflate.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinter::runtime {

namespace {

constexpr std::uint32_t local_mark = 0x04034b50, entry_mark = 0x02014b50, end_mark = 0x06054b50, end64_mark = 0x06064b50,
                        place64_mark = 0x07064b50;
constexpr std::size_t local_bytes = 30, entry_bytes = 46, end_bytes = 22, place64_bytes = 20, end64_bytes = 56;
constexpr std::uint64_t in_extra = 0xffffffff;  ///< says that the number is in the 64-bit extra field
constexpr std::uint16_t stored = 0, deflated = 8, version = 45, extra64 = 1;

/// Bytes of a file, which begin at a position of it.
struct Window {
    const SharedFile& file;
    std::uint64_t begin;
    Bytes bytes;

    Window(const SharedFile& from, std::uint64_t first, std::uint64_t last) : file(from), begin(first) {
        bytes.resize(last > first ? last - first : 0);
        bytes.resize(file.read_at(first, bytes.data(), bytes.size()));
    }
    std::uint64_t end() const { return begin + bytes.size(); }
    /// The number at a position of the file; fails where there are no bytes.
    std::uint64_t number(std::uint64_t at, std::size_t length) const {
        if (at < begin || at > end() || end() - at < length) file.fail("is a damaged .npz file");
        std::uint64_t value = 0;
        for (std::size_t k = length; k-- > 0;) value = value << 8 | bytes[at - begin + k];
        return value;
    }
};

void put(Bytes& to, std::uint64_t value, int bytes) {
    for (int k = 0; k < bytes; ++k, value >>= 8) to.push_back(static_cast<unsigned char>(value));
}

/// Replaces numbers that did not fit in 32 bits.
void read_extra(const Window& archive, std::uint64_t at, std::uint64_t end, ZipMember& member) {
    while (at + 4 <= end) {
        const std::uint64_t kind = archive.number(at, 2), length = archive.number(at + 2, 2);
        at += 4;
        if (kind == extra64) {
            std::uint64_t from = at;
            for (std::uint64_t* value : {&member.size, &member.compressed, &member.offset})
                if (*value == in_extra) *value = archive.number(from, 8), from += 8;
        }
        at += length;
    }
}

struct Directory {
    std::uint64_t offset, entries, end;
};

Directory find_directory(const SharedFile& file) {
    const std::uint64_t size = file.size(), longest_comment = 0xffff;
    if (size < end_bytes) file.fail("is not a .npz file");
    std::uint64_t at = size - end_bytes;
    const std::uint64_t lowest = at > longest_comment ? at - longest_comment : 0;
    const Window tail(file, lowest > place64_bytes ? lowest - place64_bytes : 0, size);
    while (tail.number(at, 4) != end_mark)
        if (at-- == lowest) file.fail("is not a .npz file");
    Directory found{tail.number(at + 16, 4), tail.number(at + 10, 2), at};
    if (at >= place64_bytes && tail.number(at - place64_bytes, 4) == place64_mark) {
        const std::uint64_t begin = tail.number(at - place64_bytes + 8, 8);
        if (begin > size) file.fail("is a damaged .npz file");
        const Window end64(file, begin, std::min<std::uint64_t>(size, begin + end64_bytes));
        if (end64.number(begin, 4) != end64_mark) file.fail("is a damaged .npz file");
        found = {end64.number(begin + 48, 8), end64.number(begin + 32, 8), begin};
    }
    return found;
}

/// The sizes and the offset of a member as 64-bit numbers, if it needs them.
Bytes extra_of(const ZipMember& member, bool with_offset) {
    Bytes extra;
    if (member.size < in_extra && (!with_offset || member.offset < in_extra)) return extra;
    put(extra, extra64, 2);
    put(extra, with_offset ? 24 : 16, 2);
    put(extra, member.size, 8);
    put(extra, member.compressed, 8);
    if (with_offset) put(extra, member.offset, 8);
    return extra;
}

/// Writes what local headers and entries of the directory have in common.
void put_common(Bytes& to, const ZipMember& member, const Bytes& extra) {
    put(to, version, 2);
    put(to, 0, 2);
    put(to, member.method, 2);
    put(to, 0, 2);
    put(to, 0x21, 2);  // the first of January 1980, so that files with the same arrays are equal
    put(to, member.crc, 4);
    put(to, extra.empty() ? member.compressed : in_extra, 4);
    put(to, extra.empty() ? member.size : in_extra, 4);
    put(to, member.name.size(), 2);
    put(to, extra.size(), 2);
}

void append(Bytes& to, Data from) { to.insert(to.end(), from.begin(), from.end()); }

}  // namespace

std::vector<ZipMember> list_zip(const SharedFile& file) {
    const Directory directory = find_directory(file);
    if (directory.offset > directory.end) file.fail("is a damaged .npz file");
    const Window archive(file, directory.offset, directory.end);
    std::vector<ZipMember> members;
    std::uint64_t at = directory.offset;
    for (std::uint64_t k = 0; k < directory.entries; ++k) {
        if (archive.number(at, 4) != entry_mark) file.fail("is a damaged .npz file");
        const std::uint64_t name = archive.number(at + 28, 2), extra = archive.number(at + 30, 2),
                            comment = archive.number(at + 32, 2), behind = at + entry_bytes + name + extra + comment;
        archive.number(behind, 0);
        const auto* text = reinterpret_cast<const char*>(archive.bytes.data() + (at - archive.begin) + entry_bytes);
        ZipMember member{std::string(text, name),
                         archive.number(at + 42, 4),
                         archive.number(at + 20, 4),
                         archive.number(at + 24, 4),
                         static_cast<std::uint32_t>(archive.number(at + 16, 4)),
                         static_cast<std::uint16_t>(archive.number(at + 10, 2))};
        read_extra(archive, at + entry_bytes + name, at + entry_bytes + name + extra, member);
        members.push_back(std::move(member));
        at = behind;
    }
    return members;
}

std::uint64_t contents_of(const SharedFile& file, const ZipMember& member) {
    if (member.offset > file.size()) file.fail("is a damaged .npz file");
    const Window header(file, member.offset, member.offset + local_bytes);
    if (header.number(member.offset, 4) != local_mark) file.fail("is a damaged .npz file");
    const std::uint64_t begin =
        member.offset + local_bytes + header.number(member.offset + 26, 2) + header.number(member.offset + 28, 2);
    if (begin > file.size() || file.size() - begin < member.compressed) file.fail("is a damaged .npz file");
    return begin;
}

bool is_stored(const ZipMember& member) { return member.method == stored && member.compressed == member.size; }

Bytes extract(const SharedFile& file, const ZipMember& member) {
    const std::uint64_t begin = contents_of(file, member);
    if (member.method != stored && member.method != deflated)
        file.fail(fmt::format("has a member that is compressed by method {}", member.method));
    Window data(file, begin, begin + member.compressed);
    std::optional<Bytes> bytes = member.method == stored ? std::move(data.bytes) : inflate(data.bytes, member.size);
    if (!bytes || bytes->size() != member.size || crc32(*bytes) != member.crc) file.fail("is a damaged .npz file");
    return std::move(*bytes);
}

Bytes zip_header(const ZipMember& member) {
    const Bytes extra = extra_of(member, false);
    Bytes header;
    put(header, local_mark, 4);
    put_common(header, member, extra);
    append(header, bytes_of(member.name));
    append(header, extra);
    return header;
}

Bytes zip_directory(std::span<const ZipMember> members, std::uint64_t position) {
    const std::uint64_t begin = position;
    Bytes end;
    for (const ZipMember& member : members) {
        const Bytes extra = extra_of(member, true);
        put(end, entry_mark, 4);
        put(end, version, 2);
        put_common(end, member, extra);
        put(end, 0, 2 + 2 + 2 + 4);  // comment, disk, attributes
        put(end, extra.empty() ? member.offset : in_extra, 4);
        append(end, bytes_of(member.name));
        append(end, extra);
    }
    const std::uint64_t size = end.size(), behind = begin + size, count = members.size();
    if (behind >= in_extra || count >= 0xffff) {
        put(end, end64_mark, 4);
        put(end, end64_bytes - 12, 8);
        put(end, version, 2);
        put(end, version, 2);
        put(end, 0, 8);
        put(end, count, 8);
        put(end, count, 8);
        put(end, size, 8);
        put(end, begin, 8);
        put(end, place64_mark, 4);
        put(end, 0, 4);
        put(end, behind, 8);
        put(end, 1, 4);
    }
    put(end, end_mark, 4);
    put(end, 0, 4);
    put(end, std::min<std::uint64_t>(count, 0xffff), 2);
    put(end, std::min<std::uint64_t>(count, 0xffff), 2);
    put(end, std::min(size, in_extra), 4);
    put(end, std::min(begin, in_extra), 4);
    put(end, 0, 2);
    return end;
}

}  // namespace sinter::runtime
