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
    std::size_t next = 0;
    for (std::size_t done = 0; done < bytes; next = (next + 1) % pieces_.size()) {
        Piece& piece = pieces_[next];
        const std::size_t part = std::min(piece_bytes, bytes - done);
        if (piece.taken) piece.taken->wait();
        runtime::copy_bytes(piece.memory, static_cast<const std::byte*>(from) + done, part, runtime::default_threads());
        device_.copy(static_cast<std::byte*>(to) + done, piece.memory, part);
        piece.taken = device_.mark();
        done += part;
    }
}

/// Whether there is memory for pieces.
bool Staging::prepare() {
    if (generation_ != device_.generation()) forget();
    generation_ = device_.generation();
    for (Piece& piece : pieces_)
        if (!piece.memory) piece.memory = device_.allocate_pinned(piece_bytes);
    return std::all_of(pieces_.begin(), pieces_.end(), [](const Piece& piece) { return piece.memory; });
}

void Staging::forget() {
    for (Piece& piece : pieces_) {
        if (piece.memory && generation_ == device_.generation()) device_.release_pinned(piece.memory);
        piece = {};
    }
}

}  // namespace sinter::gpu
