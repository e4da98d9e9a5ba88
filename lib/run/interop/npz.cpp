// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NumPy's .npz: archives whose members are .npy files. Several ranks read and write them together: a member's checksum is
// put together from those of the ranks' rows.
#include <sinter/detail/rows.hpp>

#include "run/interop/deflate.hpp"
#include "run/interop/npy_stream.hpp"
#include "run/interop/zip.hpp"
#include "run/ranks/job/collectives.hpp"
#include "run/ranks/job/job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace sinter::runtime {

namespace {

constexpr std::string_view ending = ".npy";

std::string array_name(const std::string& member) {
    return member.ends_with(ending) ? member.substr(0, member.size() - ending.size()) : member;
}

std::vector<std::string> names_of(const std::vector<ZipMember>& members) {
    std::vector<std::string> names;
    for (const ZipMember& member : members) names.push_back(array_name(member.name));
    return names;
}

/// Bytes of a member that follow those of lower ranks, and their checksum.
struct Piece {
    std::uint64_t bytes = 0;
    std::uint32_t sum = 0;
};

/// The checksum of what has the sum `before` and then the pieces of all ranks. `pieces`: those of this rank, one a member.
std::vector<std::uint32_t> joined_sums(const char* what, std::vector<std::uint32_t> before, const std::vector<Piece>& pieces,
                                       location where) {
    const auto ranks = static_cast<std::size_t>(detail::rank_count());
    std::vector<Piece> all(ranks * pieces.size());
    if (ranks == 1)
        all = pieces;
    else
        gather(pieces.data(), all.data(), std::vector<std::size_t>(ranks, pieces.size() * sizeof(Piece)), what, where);
    for (std::size_t k = 0; k < all.size(); ++k) {
        std::uint32_t& sum = before[k % pieces.size()];
        sum = crc32_of_both(sum, all[k].sum, all[k].bytes);
    }
    return before;
}

/// The arrays of an archive that is being written, and where they will be.
struct Archive {
    std::vector<NpyImage> images;
    std::vector<ZipMember> members;
    std::vector<std::uint64_t> contents;  ///< of each member, its position
    std::uint64_t end = 0;                ///< where the directory begins
};

Archive lay_out(const char* what, const detail::NpzMember* arrays, std::size_t count, location where) {
    Archive archive;
    for (std::size_t k = 0; k < count; ++k) {
        const detail::NpzMember& array = arrays[k];
        for (std::size_t other = 0; other < k; ++other)
            if (array.name == arrays[other].name)
                throw UsageError(fmt::format("{}: two arrays are called {}", what, array.name), where);
        archive.images.emplace_back(array.element, array.shape, array.leaves, what, where);
        const std::uint64_t bytes = archive.images.back().bytes();
        archive.members.push_back({array.name + std::string(ending), archive.end, bytes, bytes, 0, 0});
        archive.contents.push_back(archive.end + zip_header(archive.members.back()).size());
        archive.end = archive.contents.back() + bytes;
    }
    return archive;
}

/// Writes this rank's rows of all members, and returns what it has written of each.
std::vector<Piece> write_rows(const Archive& archive, const SharedFile& file) {
    std::vector<Piece> pieces(archive.images.size());
    for (std::size_t k = 0; k < pieces.size(); ++k)
        archive.images[k].each_own([&](std::uint64_t position, std::span<const unsigned char> bytes) {
            file.write_at(archive.contents[k] + position, bytes.data(), bytes.size());
            pieces[k] = {pieces[k].bytes + bytes.size(), crc32(bytes, pieces[k].sum)};
        });
    return pieces;
}

/// Writes all that is not rows.
void write_frame(const Archive& archive, const SharedFile& file) {
    for (std::size_t k = 0; k < archive.members.size(); ++k) {
        const Bytes header = zip_header(archive.members[k]);
        const std::string& npy = archive.images[k].header();
        file.write_at(archive.members[k].offset, header.data(), header.size());
        file.write_at(archive.contents[k], npy.data(), npy.size());
    }
    const Bytes directory = zip_directory(archive.members, archive.end);
    file.write_at(archive.end, directory.data(), directory.size());
}

void write_archive(const char* what, const std::string& path, Archive& archive, bool synced, location where) {
    detail::together(what, where, [&] {
        if (detail::own_rank() == 0) SharedFile(what, path, SharedFile::Mode::make, where).close();
    });
    std::vector<Piece> pieces(archive.images.size());
    detail::together(what, where, [&] {
        SharedFile file(what, path, SharedFile::Mode::write, where);
        pieces = write_rows(archive, file);
        if (synced) file.sync();
        file.close();
    });
    std::vector<std::uint32_t> sums;
    for (const NpyImage& image : archive.images) sums.push_back(crc32(bytes_of(image.header())));
    sums = joined_sums(what, std::move(sums), pieces, where);
    for (std::size_t k = 0; k < sums.size(); ++k) archive.members[k].crc = sums[k];
    detail::together(what, where, [&] {
        if (detail::own_rank() != 0) return;
        SharedFile file(what, path, SharedFile::Mode::write, where);
        write_frame(archive, file);
        if (synced) file.sync();
        file.close();
    });
}

const ZipMember& find_member(const SharedFile& file, const std::vector<ZipMember>& members, const std::string& name) {
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&](const ZipMember& member) { return array_name(member.name) == name; });
    if (found == members.end()) file.fail(fmt::format("has no array {}, but: {}", name, fmt::join(names_of(members), ", ")));
    return *found;
}

/// What is asked for.
struct Wanted {
    std::string name;
    FileElement element;
    std::size_t rank;
    bool convert;
    detail::LeafRef* out;
};

void load_member(const char* what, const std::string& path, const Wanted& wanted, location where) {
    const auto type = static_cast<std::uint64_t>(wanted.element.scalar) * 64 + wanted.rank;
    detail::meet_for_file(what, type, where);
    NpyRead read;
    std::uint32_t sum = 0;
    bool whole = false;
    detail::together(what, where, [&] {
        const SharedFile file(what, path, SharedFile::Mode::read, where);
        const std::vector<ZipMember> members = list_zip(file);
        const ZipMember& member = find_member(file, members, wanted.name);
        const std::string name = fmt::format("{} of {}", wanted.name, path);
        const std::uint64_t begin = contents_of(file, member);
        sum = member.crc;
        FilePart part(file, name, begin, begin + member.compressed, true);
        whole = !is_stored(member) || read_npy_header(part).fortran_order;
        if (whole) {
            const Bytes bytes = extract(file, member);
            MemorySource source(what, name, bytes, where);
            return read_npy(source, wanted.element, wanted.rank, wanted.convert, wanted.out);
        }
        part.seek(begin);
        read = read_own_npy(part, wanted.element, wanted.rank, wanted.convert, wanted.out);
    });
    if (whole) return;
    const std::vector<Piece> piece{{read.bytes, read.rows_sum}};
    const bool right = read.in_blocks ? joined_sums(what, {read.header_sum}, piece, where)[0] == sum
                                      : crc32_of_both(read.header_sum, read.rows_sum, read.bytes) == sum;
    detail::together(what, where, [&] {
        if (!right) throw UsageError(fmt::format("{}: {} is a damaged .npz file", what, path), where);
    });
}

}  // namespace

}  // namespace sinter::runtime

namespace sinter::detail {

using namespace sinter::runtime;

void save_npz(const std::string& path, const NpzMember* members, std::size_t count, location where) {
    meet_for_file("save_npz", count, where);
    Archive archive = lay_out("save_npz", members, count, where);
    write_archive("save_npz", path, archive, false, where);
}

void load_npz(const std::string& path, const std::string& name, FileElement element, std::size_t rank, bool convert,
              LeafRef* out, location where) {
    load_member("load_npz", path, {name, element, rank, convert, out}, where);
}

std::vector<std::string> npz_names(const std::string& path, location where) {
    return names_of(list_zip(SharedFile("npz_names", path, SharedFile::Mode::read, where)));
}

/// The archive gets a name of its own until it is complete.
void save_checkpoint(const std::string& path, const NpzMember* members, std::size_t count, location where) {
    constexpr const char* what = "save_checkpoint";
    meet_for_file(what, count, where);
    const std::string unfinished = path + ".new";
    Archive archive = lay_out(what, members, count, where);
    write_archive(what, unfinished, archive, true, where);
    together(what, where, [&] {
        if (own_rank() == 0) replace_file(what, unfinished, path, where);
    });
}

void load_checkpoint(const std::string& path, const std::string& name, FileElement element, std::size_t rank, LeafRef* out,
                     location where) {
    load_member("load_checkpoint", path, {name, element, rank, false, out}, where);
}

bool has_checkpoint(const std::string& path, location where) {
    meet_for_file("has_checkpoint", 0, where);
    std::error_code error;
    const bool is_there = own_rank() == 0 && std::filesystem::is_regular_file(path, error);
    return tell_ranks(is_there, "has_checkpoint", where);
}

}  // namespace sinter::detail
