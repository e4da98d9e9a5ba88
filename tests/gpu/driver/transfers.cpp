// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores and atomic updates of a lane.
#include "arithmetic.hpp"
#include "executor.hpp"
#include "settings.hpp"

#include <cstring>

namespace driver {

namespace {

std::uint64_t address_of(const Instruction& in, const std::uint64_t* registers, std::uint32_t lane) {
    return column(registers, in.address)[lane] + static_cast<std::uint64_t>(in.offset);
}

std::uint64_t loaded_from(std::uint64_t address, std::uint8_t bytes) {
    std::uint64_t value = 0;
    if (bytes == 8)
        std::memcpy(&value, place_of(address), 8);
    else if (bytes == 4)
        std::memcpy(&value, place_of(address), 4);
    else
        std::memcpy(&value, place_of(address), bytes);
    return value;
}

void store_to(std::uint64_t address, std::uint8_t bytes, std::uint64_t value) {
    if (bytes == 8)
        std::memcpy(place_of(address), &value, 8);
    else if (bytes == 4)
        std::memcpy(place_of(address), &value, 4);
    else
        std::memcpy(place_of(address), &value, bytes);
}

/// Where memory of the host's begins, and how much of it there is: addresses within that a block or a thread may reach.
struct Piece {
    const std::byte* begin;
    std::size_t bytes;
    std::uint64_t offset(std::uint64_t address) const { return address - reinterpret_cast<std::uint64_t>(begin); }
    bool has(std::uint64_t address, std::size_t size) const {
        return offset(address) < bytes && offset(address) + size <= bytes;
    }
};

}  // namespace

Executor::Place Executor::locate(const Group& group, const Instruction& in, std::uint32_t lane, std::uint64_t address,
                                 std::size_t bytes) {
    Block& block = group.block;
    const bool generic = in.space == Space::generic;
    if (address % bytes != 0) violation(describe(group, lane, "a misaligned address"));
    if (generic || in.space == Space::shared)
        if (const Piece shared{block.shared.data(), block.shared.size()}; shared.has(address, bytes))
            return {&block.cells, shared.offset(address), false};
    if (generic || in.space == Space::local) {
        const std::size_t size = launch_.kernel->local_bytes;
        if (const Piece local{block.local.data() + group.thread(lane) * size, size}; local.has(address, bytes))
            return {nullptr, 0, false};
    }
    Allocation* allocation = generic || in.space == Space::global ? Memory::get().find(address, bytes) : nullptr;
    if (!allocation) violation(describe(group, lane, "an address out of bounds"));
    if (!allocation->pinned && allocation->device != launch_.device)
        violation(describe(group, lane, "memory of another card"));
    if (!allocation->ready) violation(describe(group, lane, "memory that no stream has allocated yet"));
    if (allocation->cells.empty()) allocation->cells = Cells(allocation->bytes);
    return {&allocation->cells, address - allocation->begin, true};
}

void Executor::take_down(const Group& group, std::uint32_t lane, const Place& place, std::size_t bytes, Access access) {
    if (!place.cells) return;
    const Block& block = group.block;
    access.block_begin = block.number * launch_.threads;
    access.block_end = access.block_begin + launch_.threads;
    access.moment = {access.block_begin + group.thread(lane), block.epoch, block.warps[group.warp].epoch};
    const char* rule = place.cells->note(place.offset, bytes, place.is_global ? launch_.number : block.run, access);
    if (rule && rule != two_stores) violation(describe(group, lane, rule));
    if (rule && stores_.empty()) stores_ = describe(group, lane, rule);
}

void Executor::load(const Group& group, const Instruction& in, std::uint32_t lane) {
    const std::uint64_t address = address_of(in, group.registers, lane);
    const std::size_t bytes = in.type.bytes * std::size_t{in.results};
    const Place place = locate(group, in, lane, address, bytes);
    take_down(group, lane, place, bytes, {{}, 0, 0, false, in.order != Order::weak, in.non_coherent});
    const bool delayed = place.is_global && launch_.kernel->communicates && !in.non_coherent;
    Thread& thread = group.block.threads[group.thread(lane)];
    for (std::uint8_t k = 0; k < in.results; ++k) {
        const std::uint64_t from = address + k * std::uint64_t{in.type.bytes};
        std::uint64_t loaded = delayed ? visibility_.load(group.block, thread, from, in.type.bytes, in.order)
                                       : loaded_from(from, in.type.bytes);
        if (in.type.is_signed()) loaded = static_cast<std::uint64_t>(extended(loaded, in.type.bits()));
        if (in.result[k] != no_register) column(group.registers, in.result[k])[lane] = loaded;
    }
}

void Executor::store(const Group& group, const Instruction& in, std::uint32_t lane) {
    const std::uint64_t address = address_of(in, group.registers, lane);
    const std::size_t bytes = in.type.bytes * std::size_t{in.operands};
    const Place place = locate(group, in, lane, address, bytes);
    take_down(group, lane, place, bytes, {{}, 0, 0, true, in.order != Order::weak, false});
    const bool delayed = place.is_global && launch_.kernel->communicates;
    Thread& thread = group.block.threads[group.thread(lane)];
    if (in.order == Order::release) visibility_.release(group.block, thread);
    for (std::uint8_t k = 0; k < in.operands; ++k) {
        const std::uint64_t to = address + k * std::uint64_t{in.type.bytes};
        const std::uint64_t stored = column(group.registers, in.operand[k])[lane];
        if (delayed)
            visibility_.store(thread, to, in.type.bytes, stored);
        else
            store_to(to, in.type.bytes, stored);
    }
}

void Executor::update(const Group& group, const Instruction& in, std::uint32_t lane) {
    const std::uint64_t address = address_of(in, group.registers, lane);
    const Place place = locate(group, in, lane, address, in.type.bytes);
    take_down(group, lane, place, in.type.bytes, {{}, 0, 0, true, true, false});
    const std::uint64_t first = column(group.registers, in.operand[0])[lane],
                        second = in.operands > 1 ? column(group.registers, in.operand[1])[lane] : 0;
    auto change = [&](std::uint64_t old) { return updated(in, old, first, second); };
    std::uint64_t old = 0;
    if (place.is_global) {
        old = visibility_.update(group.block, group.block.threads[group.thread(lane)], address, in.type.bytes, change);
    } else {
        old = loaded_from(address, in.type.bytes);
        store_to(address, in.type.bytes, change(old));
    }
    if (in.results > 0 && in.result[0] != no_register) column(group.registers, in.result[0])[lane] = old;
}

}  // namespace driver
