// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a launch consists of while it runs.
#pragma once

#include "pending.hpp"
#include "ptx.hpp"
#include "races.hpp"

#include <memory>
#include <vector>

namespace driver {

inline constexpr std::uint32_t warp_threads = 32;

/// A function that a thread executes.
struct Frame {
    const Function* function = nullptr;
    std::size_t next = 0;                ///< instruction
    std::uint64_t* registers = nullptr;  ///< the block's for a kernel, its own for a function that is called
    const std::uint64_t* parameters = nullptr;
    std::vector<std::uint64_t> own_registers, own_parameters;
};

enum class State : std::uint8_t { runs, waits_for_block, waits_for_warp, ended };

struct Thread {
    std::uint32_t number = 0;  ///< in its block
    State state = State::runs;
    std::vector<Frame> frames;
    std::vector<std::uint64_t> outgoing;  ///< parameters of the next call
    std::vector<std::byte> local;
    Pending pending;           ///< that no other thread sees yet
    std::uint64_t fenced = 0;  ///< it sees all that was visible then
    Seen seen;
    const Instruction& instruction() const { return frames.back().function->code[frames.back().next]; }
};

struct Block {
    std::uint32_t number = 0;
    std::vector<Thread> threads;
    std::vector<std::uint64_t> registers;  ///< of the kernel, by thread
    std::vector<std::uint32_t> running;    ///< by warp: threads that wait for nothing and have not ended
    std::vector<std::byte> shared;
    Cells cells;  ///< of shared memory
    std::uint32_t epoch = 0;
    std::vector<std::uint32_t> warp_epochs;
    Pending pending;  ///< that no other block sees yet
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
