// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/device/staging.hpp"

#include "run/threads/threads.hpp"
#include "schedule/card/tuning.hpp"

#include <algorithm>

namespace sinter::gpu {

using schedule::card::tuning::piece_bytes;

Staging::~Staging() { forget(); }

void Staging::copy(void* to, const void* from, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (!prepare()) {
        device_.copy(to, from, bytes);
        return device_.wait("copy of an array");
    }
    for (std::size_t done = 0; done < bytes;) {
        if (pieces_[filled_].used == piece_bytes) fill_next();
        Piece& piece = pieces_[filled_];
        const std::size_t part = std::min(piece_bytes - piece.used, bytes - done);
        std::byte* place = piece.memory + piece.used;
        runtime::copy_bytes(place, static_cast<const std::byte*>(from) + done, part, runtime::default_threads());
        device_.copy(static_cast<std::byte*>(to) + done, place, part);
        piece.used = std::min(piece_bytes, (piece.used + part + alignment - 1) / alignment * alignment);
        done += part;
    }
}

/// The piece that is full is used again when the device has read it.
void Staging::fill_next() {
    pieces_[filled_].taken = device_.mark();
    filled_ = (filled_ + 1) % pieces_.size();
    Piece& next = pieces_[filled_];
    if (next.taken) next.taken->wait();
    next.used = 0;
}

/// Whether there is memory for pieces.
bool Staging::prepare() {
    if (generation_ != device_.generation()) forget();
    generation_ = device_.generation();
    for (Piece& piece : pieces_)
        if (!piece.memory) piece.memory = static_cast<std::byte*>(device_.allocate_pinned(piece_bytes));
    return std::all_of(pieces_.begin(), pieces_.end(), [](const Piece& piece) { return piece.memory; });
}

void Staging::forget() {
    for (Piece& piece : pieces_) {
        if (piece.memory && generation_ == device_.generation()) device_.release_pinned(piece.memory);
        piece = {};
    }
}

}  // namespace sinter::gpu
