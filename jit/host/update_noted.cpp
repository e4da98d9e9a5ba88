// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/update_noted.hpp"

#include <algorithm>

namespace sinter::host {

using emit::Arguments;
using emit::Tile;

void note_updates(const UpdateLaunch& launch, emit::Entry noted, const Tile& tile, const Notes& notes) {
    const auto first = static_cast<std::size_t>(tile.row_begin * launch.tiling.inner + tile.begin);
    const std::size_t arrays = launch.kernels.noted.buffers.size() - 1;
    llvm::SmallVector<void*, 16> buffers(launch.launch.buffers, launch.launch.buffers + arrays);
    auto before = [&](void* start, std::size_t bytes) { return static_cast<char*>(start) - first * bytes; };
    for (std::size_t v = 0; v < launch.values(); ++v)
        buffers[launch.kernels.first + v] = before(notes.values(v), launch.bytes(v));
    buffers.push_back(before(notes.offsets(), sizeof(std::uint32_t)));
    Arguments arguments = arguments_of(launch.launch, launch.tiling);
    arguments.buffers = buffers.data();
    noted(&arguments, &tile);
}

void apply_notes(const UpdateLaunch& launch, emit::Entry applied, const Notes& notes, std::size_t begin, std::size_t end,
                 std::span<void* const> arrays, std::size_t offset) {
    llvm::SmallVector<void*, 16> buffers{notes.offsets() + begin};
    auto push = [&](void* start, std::size_t bytes) { buffers.push_back(static_cast<char*>(start) + bytes); };
    for (std::size_t v = 0; v < launch.values(); ++v) push(notes.values(v), begin * launch.bytes(v));
    for (std::size_t v = 0; v < launch.values(); ++v) push(arrays[v], offset * launch.bytes(v));
    const auto count = static_cast<std::int64_t>(end - begin);
    Arguments arguments = arguments_of(launch.launch, launch.tiling);
    arguments.buffers = buffers.data();
    arguments.sizes = &count;
    Tile tile{};
    tile.row_end = 1;
    tile.end = count;
    applied(&arguments, &tile);
}

void update_noted(const UpdateLaunch& launch, const NoteEntries& entries, const Tile& tile, const Notes& notes,
                  std::span<void* const> arrays) {
    const std::int64_t width = tile.end - tile.begin, columns = std::min(width, notes_at_once);
    const std::int64_t rows = std::max<std::int64_t>(1, notes_at_once / width);
    Tile part = tile;
    for (part.row_begin = tile.row_begin; part.row_begin < tile.row_end; part.row_begin = part.row_end) {
        part.row_end = std::min(tile.row_end, part.row_begin + rows);
        for (part.begin = tile.begin; part.begin < tile.end; part.begin = part.end) {
            part.end = std::min(tile.end, part.begin + columns);
            note_updates(launch, entries.noted, part, notes);
            if (launch.failed()) return;
            const auto count = static_cast<std::size_t>((part.row_end - part.row_begin) * (part.end - part.begin));
            apply_notes(launch, entries.applied, notes, 0, remove_dropped(notes, count, launch.kernels.types), arrays, 0);
        }
    }
}

}  // namespace sinter::host
