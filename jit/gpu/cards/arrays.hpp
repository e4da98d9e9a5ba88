// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Arrays of several cards. Each card has memory for a part of an array, and knows which bytes of it are as they were
/// written last: on one card those that it wrote, on others those that they have copied since.
///
/// The address of an array is a name only: nothing can be read or written there.
#pragma once

#include "jit/gpu/cards/ranges.hpp"
#include "jit/gpu/one_card.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sinter::gpu {

class CardArrays final : public runtime::RemoteMemory {
  public:
    explicit CardArrays(std::vector<OneCard*> cards) : cards_(std::move(cards)) {}

    const std::vector<OneCard*>& cards() const { return cards_; }
    /// Held by whoever calls the functions that are marked: what they say and change is of one time.
    std::mutex& mutex() { return mutex_; }

    BufferRef allocate(std::size_t bytes, std::shared_ptr<CardArrays> self);
    std::string device() const override;
    bool contains(const void* memory) const override;
    void read(void* to, const void* from, std::size_t bytes) override;
    void write(void* to, const void* from, std::size_t bytes) override;
    /// Each card gets a part of the array from the host.
    void spread(void* to, const void* from, std::size_t bytes);
    /// Copies on each card what it has. False if one of the arrays is not here.
    bool copy(void* to, const void* from, std::size_t bytes);

    /// What a launch will touch of an array on a card.
    struct Use {
        std::size_t card;
        const void* array;
        std::vector<Interval> read;  ///< bytes from there on
        Interval touched;            ///< all that there has to be memory for
    };
    /// [mutex] True if the address is in one of these arrays.
    bool has(const void* address) const { return find(address).array != nullptr; }
    /// [mutex] Makes it ready: afterwards, what is started on the cards finds there what it reads. Throws MemoryError,
    /// DeviceError.
    void make_ready(const std::vector<Use>& uses);
    /// [mutex] After an error: waits for what cards copy from each other, which may have been started without an end.
    void settle() const noexcept;
    /// [mutex] Where the array would begin on a card, which has memory for the bytes that were asked for.
    void* address(std::size_t card, const void* array) const;
    /// [mutex] These bytes were written on a card, and nowhere else.
    void written(std::size_t card, const void* array, const Interval& bytes);
    /// [mutex] How many of the bytes are not on a card.
    std::int64_t missing(std::size_t card, const void* array, const std::vector<Interval>& bytes) const;

    void release(void* array);

  private:
    /// A card's part of an array.
    struct Part {
        Interval room;  ///< the bytes that there is memory for
        void* memory = nullptr;
        Ranges current;
    };
    struct Array {
        std::int64_t bytes = 0;
        std::vector<Part> parts;  ///< by card
    };
    struct Place {
        Array* array;
        std::int64_t offset;
    };
    struct Move {
        std::size_t to, from;
        Array* array;
        Interval bytes;
    };
    Place find(const void* address) const;
    void* take(std::size_t card, std::int64_t bytes) const;
    void make_room(std::size_t card, Array& array, const Interval& bytes);
    void plan_moves(std::vector<Move>& moves, std::size_t card, Array& array, const Interval& bytes) const;
    void move(const std::vector<Move>& moves);
    void copy(const Move& move);
    static void mark(std::size_t card, Array& array, const Interval& bytes);
    static void* at(const Part& part, std::int64_t byte) {
        return static_cast<std::byte*>(part.memory) + (byte - part.room.begin);
    }
    Memory& memory(std::size_t card) const { return cards_[card]->memory(); }
    Device& device(std::size_t card) const { return cards_[card]->device(); }

    const std::vector<OneCard*> cards_;
    mutable std::mutex mutex_;  ///< of all below
    mutable std::map<const std::byte*, Array> arrays_;
};

}  // namespace sinter::gpu
