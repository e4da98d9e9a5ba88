// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Notes the updates of points, and applies notes.
#pragma once

#include "jit/host/notes.hpp"
#include "jit/host/update_launch.hpp"

namespace sinter::host {

struct NoteEntries {
    emit::Entry noted, applied;
};

/// The first element of the notes becomes that of the tile's first point, in row-major order. Tiles are runs of points.
void note_updates(const UpdateLaunch& launch, emit::Entry noted, const emit::Tile& tile, const Notes& notes);

/// Notes [begin, end) are applied to `arrays`, one a value, from element `offset` on.
void apply_notes(const UpdateLaunch& launch, emit::Entry applied, const Notes& notes, std::size_t begin, std::size_t end,
                 std::span<void* const> arrays, std::size_t offset);

/// A tile's points, some at a time, noted and applied to `arrays`: what is computed of them gets lanes.
void update_noted(const UpdateLaunch& launch, const NoteEntries& entries, const emit::Tile& tile, const Notes& notes,
                  std::span<void* const> arrays);
/// Room that the notes must have for it.
inline constexpr std::int64_t notes_at_once = 2048;

}  // namespace sinter::host
