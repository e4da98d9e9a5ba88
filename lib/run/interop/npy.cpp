// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// .npy files, which several ranks read and write together.
#include <sinter/detail/interop.hpp>
#include <sinter/detail/rows.hpp>

#include "run/interop/npy_stream.hpp"

namespace sinter::detail {

using namespace sinter::runtime;

namespace {

/// Ranks have to ask for the same element type.
std::uint64_t number_of(FileElement element, std::size_t rank) {
    return (static_cast<std::uint64_t>(element.scalar) * 2 + (element.complex ? 1 : 0)) * 64 + rank;
}

}  // namespace

void load_npy(const std::string& path, FileElement element, std::size_t rank, bool convert, LeafRef* out, location where) {
    if (rank_count() == 1) {
        File file("load_npy", path, "rb", where);  // which may be a pipe
        return read_npy(file, element, rank, convert, out);
    }
    meet_for_file("load_npy", number_of(element, rank), where);
    together("load_npy", where, [&] {
        const SharedFile file("load_npy", path, SharedFile::Mode::read, where);
        FilePart source(file, path, 0, file.size());
        read_own_npy(source, element, rank, convert, out);
    });
}

void save_npy(const std::string& path, FileElement element, const std::int64_t* shape, std::size_t rank,
              const LeafRef* leaves, location where) {
    meet_for_file("save_npy", number_of(element, rank), where);
    const NpyImage image(element, {shape, shape + rank}, leaves, "save_npy", where);
    together("save_npy", where, [&] {
        if (own_rank() != 0) return;
        SharedFile file("save_npy", path, SharedFile::Mode::make, where);
        file.write_at(0, image.header().data(), image.header().size());
        file.close();
    });
    together("save_npy", where, [&] {
        if (own_rank() != 0 && !image.in_blocks()) return;
        SharedFile file("save_npy", path, SharedFile::Mode::write, where);
        image.each_own([&](std::uint64_t position, std::span<const unsigned char> bytes) {
            file.write_at(position, bytes.data(), bytes.size());
        });
        file.close();
    });
}

}  // namespace sinter::detail
