// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a launch consists of while it runs.
#pragma once

#include "ptx.hpp"
#include "races.hpp"

#include <memory>
#include <unordered_map>
#include <vector>

namespace driver {

inline constexpr std::uint32_t warp_threads = 32;

/// For words, the earliest of their values that a thread may still see, by the time it was stored.
using Seen = std::unordered_map<std::uint64_t, std::uint64_t>;

struct Store {
    std::uint64_t address, value;
    std::uint8_t bytes;
    Seen* writer;  ///< what the thread, or the block, that stored it has seen
};

/// A function that a thread executes.
struct Frame {
    const Function* function = nullptr;
    std::size_t next = 0;  ///< instruction
    std::vector<std::uint64_t> registers, parameters;
};

enum class State : std::uint8_t { runs, waits_for_block, waits_for_warp, ended };

struct Thread {
    std::uint32_t number = 0;  ///< in its block
    State state = State::runs;
    std::vector<Frame> frames;
    std::vector<std::uint64_t> outgoing;  ///< parameters of the next call
    std::vector<std::byte> local;
    std::vector<Store> pending;  ///< that no other thread sees yet
    std::uint64_t fenced = 0;    ///< it sees all that was visible then
    Seen seen;
    const Instruction& instruction() const { return frames.back().function->code[frames.back().next]; }
};

struct Block {
    std::uint32_t number = 0;
    std::vector<Thread> threads;
    std::vector<std::byte> shared;
    Cells cells;  ///< of shared memory
    std::uint32_t epoch = 0;
    std::vector<std::uint32_t> warp_epochs;
    std::vector<Store> pending;  ///< that no other block sees yet
    Seen seen;
    std::size_t ended = 0, waiting = 0;
};

struct Launch {
    std::shared_ptr<const Module> module;
    const Function* kernel = nullptr;
    std::uint32_t blocks = 0, threads = 0;
    std::vector<std::uint64_t> parameters;
    std::uint32_t number = 0;  ///< in the process
};

/// Executes all blocks, a few at a time, in an order that the seed decides.
void execute(const Launch& launch);

}  // namespace driver
