// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/device/staging.hpp"

#include "run/threads/threads.hpp"
#include "schedule/card/tuning.hpp"
#include "support/threads/process.hpp"

#include <algorithm>
#include <cstring>

namespace sinter::gpu {

using schedule::card::tuning::piece_bytes;

Staging::~Staging() { forget(); }

void Staging::copy(void* to, const void* from, std::size_t bytes) {
    const SectionLock lock(mutex_);
    if (!prepare(pieces_)) {
        device_.copy(to, from, bytes);
        return device_.wait("copy of an array");
    }
    for (std::size_t done = 0; done < bytes;) {
        if (pieces_[filled_].used == piece_bytes) fill_next();
        const std::size_t part = std::min(piece_bytes - pieces_[filled_].used, bytes - done);
        put(static_cast<std::byte*>(to) + done, static_cast<const std::byte*>(from) + done, part);
        done += part;
    }
}

/// What the piece has room for.
void Staging::put(void* to, const void* from, std::size_t bytes) {
    Piece& piece = pieces_[filled_];
    std::byte* place = piece.memory + piece.used;
    runtime::copy_bytes(place, from, bytes, runtime::default_threads());
    device_.copy(to, place, bytes);
    piece.used = std::min(piece_bytes, (piece.used + bytes + alignment - 1) / alignment * alignment);
}

std::optional<Staging::Room> Staging::reserve(std::size_t bytes, std::size_t copies) {
    auto lock = std::make_unique<SectionLock>(mutex_);
    const std::size_t needed = bytes + copies * alignment;
    if (needed > piece_bytes || !prepare(pieces_)) return std::nullopt;
    if (pieces_[filled_].used + needed > piece_bytes) fill_next();
    return Room(*this, std::move(lock));
}

/// The full piece is used again when the device has read it.
void Staging::fill_next() {
    pieces_[filled_].taken = device_.mark();
    filled_ = (filled_ + 1) % pieces_.size();
    Piece& next = pieces_[filled_];
    if (next.taken) next.taken->wait();
    next.used = 0;
}

void Staging::fetch(void* to, const void* from, std::size_t bytes, const std::string& name) {
    const SectionLock lock(mutex_);
    if (!prepare(back_)) {
        device_.wait(name);
        device_.copy(to, from, bytes);
        return device_.wait(name);
    }
    auto part_at = [&](std::size_t at) { return std::min(piece_bytes, bytes - at); };
    auto start = [&](const Piece& piece, std::size_t at) {
        if (at < bytes) device_.copy(piece.memory, static_cast<const std::byte*>(from) + at, part_at(at));
    };
    try {
        start(back_[0], 0);
        std::size_t piece = 0;
        for (std::size_t done = 0; done < bytes; piece = (piece + 1) % back_.size()) {
            const std::size_t part = part_at(done);
            device_.wait(name);
            start(back_[(piece + 1) % back_.size()], done + part);
            runtime::copy_bytes(static_cast<std::byte*>(to) + done, back_[piece].memory, part, runtime::default_threads());
            done += part;
        }
    } catch (...) {
        forget(back_);  // copies to them may still be on their way
        throw;
    }
}

/// Returns true if there is memory for pieces.
bool Staging::prepare(Pieces& pieces) {
    if (generation_ != device_.generation()) forget();
    generation_ = device_.generation();
    for (Piece& piece : pieces)
        if (!piece.memory) piece.memory = static_cast<std::byte*>(device_.allocate_pinned(piece_bytes));
    return std::all_of(pieces.begin(), pieces.end(), [](const Piece& piece) { return piece.memory; });
}

void Staging::forget() {
    forget(pieces_);
    forget(back_);
    filled_ = 0;
}

void Staging::forget(Pieces& pieces) {
    for (Piece& piece : pieces) {
        if (piece.memory && generation_ == device_.generation()) device_.release_pinned(piece.memory);
        piece = {};
    }
}

}  // namespace sinter::gpu
