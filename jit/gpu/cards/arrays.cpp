// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/cards/arrays.hpp"

#include "schedule/card/tuning.hpp"
#include "support/threads/pool.hpp"
#include "support/threads/process.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <sinter/error.hpp>

#include <algorithm>
#include <new>
#include <set>
#include <string_view>
#include <utility>

namespace sinter::gpu {

namespace tuning = schedule::card::tuning;

namespace {

/// All arrays begin at a multiple of this, on every card.
constexpr std::int64_t alignment = 256;

struct CardsBuffer final : Buffer {
    CardsBuffer(std::shared_ptr<CardArrays> from, void* name, std::size_t size) : arrays(std::move(from)), counted(size) {
        data = name;
        bytes = size;
        reusable = true;
        on_device = true;
    }
    ~CardsBuffer() override { arrays->release(data); }
    BufferRef fetch() override {
        const SectionLock lock(fetching);
        if (copy) return copy;
        BufferRef here = sinter::allocate(bytes);
        if (bytes > 0) arrays->read(here->data, data, bytes);
        return copy = here;
    }
    std::shared_ptr<CardArrays> arrays;
    const CountedBytes counted;
    std::mutex fetching;
};

Interval within(const Interval& bytes, std::int64_t end) {
    return {std::max<std::int64_t>(0, bytes.begin), std::min(bytes.end, end)};
}

Interval shifted(const Interval& bytes, std::int64_t by) { return {bytes.begin + by, bytes.end + by}; }

std::int64_t round_up(std::int64_t n) { return (n + alignment - 1) / alignment * alignment; }

}  // namespace

/// The address space that an array takes is nobody's memory.
BufferRef CardArrays::allocate(std::size_t bytes, std::shared_ptr<CardArrays> self) {
    const std::size_t size = std::max<std::size_t>(bytes, 1);
    void* name = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (name == MAP_FAILED) throw std::bad_alloc();
    {
        const SectionLock lock(mutex_);
        arrays_[static_cast<const std::byte*>(name)] = {static_cast<std::int64_t>(size), std::vector<Part>(cards_.size())};
    }
    return std::make_shared<CardsBuffer>(std::move(self), name, bytes);
}

void CardArrays::release(void* array) {
    const SectionLock lock(mutex_);
    const auto found = arrays_.find(static_cast<const std::byte*>(array));
    for (std::size_t card = 0; card < cards_.size(); ++card)
        if (void* memory = found->second.parts[card].memory) this->memory(card).give_back(memory);
    munmap(array, static_cast<std::size_t>(found->second.bytes));
    arrays_.erase(found);
}

std::string CardArrays::device() const {
    std::string names;
    for (OneCard* card : cards_) names += (names.empty() ? "" : " and ") + card->device().name();
    return names;
}

CardArrays::Place CardArrays::find(const void* address) const {
    const auto* byte = static_cast<const std::byte*>(address);
    const auto behind = arrays_.upper_bound(byte);
    if (behind == arrays_.begin()) return {};
    const auto found = std::prev(behind);
    const std::int64_t offset = byte - found->first;
    return offset < found->second.bytes ? Place{&found->second, offset} : Place{};
}

bool CardArrays::contains(const void* memory) const {
    const SectionLock lock(mutex_);
    return find(memory).array != nullptr;
}

void* CardArrays::take(std::size_t card, std::int64_t bytes) const {
    static constexpr std::string_view what = "its part of an array";
    try {
        void* memory = this->memory(card).take(static_cast<std::size_t>(bytes));
        this->memory(card).divide(memory);
        return memory;
    } catch (const std::bad_alloc&) {
        throw MemoryError(fmt::format("{} has no {} bytes left for {}", device(card).name(), bytes, what), location());
    }
}

/// With a margin, so that what neighbours have, too, does not make it move.
void CardArrays::make_room(std::size_t card, Array& array, const Interval& bytes) {
    Part& part = array.parts[card];
    if (bytes.empty() || (part.memory && bytes.begin >= part.room.begin && bytes.end <= part.room.end)) return;
    const Interval needed = hull(part.room, bytes);
    const std::int64_t margin = std::max(tuning::least_part_margin, needed.length() / tuning::part_margin);
    Interval room = within({needed.begin - margin, needed.end + margin}, array.bytes);
    room.begin = room.begin / alignment * alignment;
    Part bigger{room, take(card, round_up(room.length())), part.current};
    for (const Interval& range : part.current.all())
        device(card).copy(at(bigger, range.begin), at(part, range.begin), static_cast<std::size_t>(range.length()));
    if (part.memory) this->memory(card).give_back(part.memory);
    part = std::move(bigger);
}

/// What a card lacks comes from the first others that have it. What none has was never written.
void CardArrays::plan_moves(std::vector<Move>& moves, std::size_t card, Array& array, const Interval& bytes) const {
    std::vector<Interval> missing = array.parts[card].current.missing(bytes);
    for (std::size_t from = 0; from < cards_.size() && !missing.empty(); ++from) {
        if (from == card) continue;
        std::vector<Interval> rest;
        for (const Interval& range : missing) {
            for (const Interval& found : array.parts[from].current.present(range))
                moves.push_back({card, from, &array, found});
            const std::vector<Interval> left = array.parts[from].current.missing(range);
            rest.insert(rest.end(), left.begin(), left.end());
        }
        missing = std::move(rest);
    }
}

void CardArrays::copy(const Move& move) {
    const void* from = at(move.array->parts[move.from], move.bytes.begin);
    void* to = at(move.array->parts[move.to], move.bytes.begin);
    const auto bytes = static_cast<std::size_t>(move.bytes.length());
    if (device(move.to).copy_from(device(move.from), to, from, bytes)) return;
    const BufferRef here = sinter::allocate(bytes);
    memory(move.from).read(here->data, from, bytes);
    memory(move.to).write(to, here->data, bytes);
}

/// Copies come after what their source was told before, and what that is told next comes after them: it may write there.
void CardArrays::move(const std::vector<Move>& moves) {
    std::set<std::pair<std::size_t, std::size_t>> ways;
    for (const Move& m : moves) ways.emplace(m.to, m.from);
    for (const auto& [to, from] : ways) device(to).follow(device(from));
    for (const Move& m : moves) copy(m);
    for (const auto& [to, from] : ways) device(from).follow(device(to));
    for (const Move& m : moves) m.array->parts[m.to].current.add(m.bytes);
}

void CardArrays::make_ready(const std::vector<Use>& uses) {
    for (const Use& use : uses) {
        const Place place = find(use.array);
        make_room(use.card, *place.array, within(shifted(use.touched, place.offset), place.array->bytes));
    }
    std::vector<Move> moves;
    for (const Use& use : uses) {
        const Place place = find(use.array);
        for (const Interval& bytes : use.read)
            plan_moves(moves, use.card, *place.array, within(shifted(bytes, place.offset), place.array->bytes));
    }
    move(moves);
}

void CardArrays::settle() const noexcept {
    for (OneCard* card : cards_) {
        try {
            card->memory().await();
        } catch (...) {  // the error that was first is on its way
        }
    }
}

void* CardArrays::address(std::size_t card, const void* array) const {
    const Place place = find(array);
    const Part& part = place.array->parts[card];
    return reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(part.memory) - part.room.begin + place.offset);
}

void CardArrays::mark(std::size_t card, Array& array, const Interval& bytes) {
    for (std::size_t k = 0; k < array.parts.size(); ++k)
        k == card ? array.parts[k].current.add(bytes) : array.parts[k].current.remove(bytes);
}

void CardArrays::written(std::size_t card, const void* array, const Interval& bytes) {
    const Place place = find(array);
    mark(card, *place.array, shifted(bytes, place.offset));
}

std::int64_t CardArrays::missing(std::size_t card, const void* array, const std::vector<Interval>& bytes) const {
    const Place place = find(array);
    std::int64_t length = 0;
    for (const Interval& range : bytes)
        length += length_of(place.array->parts[card].current.missing(shifted(range, place.offset)));
    return length;
}

void CardArrays::read(void* to, const void* from, std::size_t bytes) {
    const SectionLock lock(mutex_);
    const Place place = find(from);
    std::vector<Interval> missing{{place.offset, place.offset + static_cast<std::int64_t>(bytes)}};
    for (std::size_t card = 0; card < cards_.size(); ++card) {
        const Part& part = place.array->parts[card];
        std::vector<Interval> rest;
        for (const Interval& range : missing) {
            for (const Interval& found : part.current.present(range))
                memory(card).read(static_cast<std::byte*>(to) + (found.begin - place.offset), at(part, found.begin),
                                  static_cast<std::size_t>(found.length()));
            const std::vector<Interval> left = part.current.missing(range);
            rest.insert(rest.end(), left.begin(), left.end());
        }
        missing = std::move(rest);
    }
}

void CardArrays::write(void* to, const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    const SectionLock lock(mutex_);
    const Place place = find(to);
    const Interval range{place.offset, place.offset + static_cast<std::int64_t>(bytes)};
    make_room(0, *place.array, range);
    memory(0).write(at(place.array->parts[0], range.begin), from, bytes);
    mark(0, *place.array, range);
}

void CardArrays::spread(void* to, const void* from, std::size_t bytes) {
    const SectionLock lock(mutex_);
    const Place place = find(to);
    const auto cards = static_cast<std::int64_t>(cards_.size()), size = static_cast<std::int64_t>(bytes);
    auto first = [&](std::int64_t card) { return std::min(size, round_up(size * card / cards)); };
    for (std::int64_t card = 0; card < cards; ++card) {
        const Interval range{first(card), first(card + 1)};
        if (range.empty()) continue;
        const auto k = static_cast<std::size_t>(card);
        make_room(k, *place.array, range);
        memory(k).write(at(place.array->parts[k], range.begin), static_cast<const std::byte*>(from) + range.begin,
                        static_cast<std::size_t>(range.length()));
        mark(k, *place.array, range);
    }
}

bool CardArrays::copy(void* to, const void* from, std::size_t bytes) {
    const SectionLock lock(mutex_);
    const Place target = find(to), source = find(from);
    if (!target.array || !source.array) return false;
    const Interval range{source.offset, source.offset + static_cast<std::int64_t>(bytes)};
    std::vector<std::vector<Interval>> copied;
    for (std::size_t card = 0; card < cards_.size(); ++card)
        copied.push_back(source.array->parts[card].current.present(range));
    const std::int64_t by = target.offset - source.offset;
    for (Part& part : target.array->parts) part.current.remove(shifted(range, by));
    for (std::size_t card = 0; card < cards_.size(); ++card)
        for (const Interval& found : copied[card]) {
            make_room(card, *target.array, shifted(found, by));
            device(card).copy(at(target.array->parts[card], found.begin + by), at(source.array->parts[card], found.begin),
                              static_cast<std::size_t>(found.length()));
            target.array->parts[card].current.add(shifted(found, by));
        }
    return true;
}

}  // namespace sinter::gpu
