// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a launch consists of while it runs.
#pragma once

#include "lanes.hpp"
#include "pending.hpp"
#include "ptx.hpp"
#include "races.hpp"

#include <array>
#include <memory>
#include <vector>

namespace driver {

/// A function that a kernel calls, executed for a thread.
struct Call {
    const Function* function = nullptr;
    std::size_t next = 0;                  ///< instruction
    std::vector<std::uint64_t> registers;  ///< of all lanes, of which it needs one
    std::vector<std::uint64_t> parameters;
};

struct Thread {
    std::uint32_t number = 0;    ///< in its block
    std::unique_ptr<Call> call;  ///< none while it executes the kernel
    Pending pending;             ///< that no other thread sees yet
    std::uint64_t fenced = 0;    ///< it sees all that was visible then
    Seen seen;
};

/// A lane is in one of the first three sets, or has ended.
struct Warp {
    Lanes running = all_lanes, at_warp = 0, at_block = 0;  ///< `at`: waiting for the others, to go on together
    Lanes calling = 0;                                     ///< execute a function that the kernel calls
    std::array<std::size_t, warp_threads> next{};          ///< instruction of the kernel, by lane
    std::uint64_t* registers = nullptr;                    ///< of the kernel
    std::uint32_t epoch = 0;
    Lanes ended() const { return ~(running | at_warp | at_block); }
};

struct Block {
    std::uint32_t number = 0;
    std::vector<Thread> threads;
    std::vector<Warp> warps;
    std::vector<std::uint64_t> registers;  ///< by warp
    std::vector<std::uint64_t> outgoing;   ///< parameters of the next call, by thread
    std::vector<std::byte> shared, local;  ///< local: by thread
    Cells cells;                           ///< of shared memory
    std::uint32_t run = 0;                 ///< a number that no other block has had that used these cells
    std::uint32_t epoch = 0;
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
    int device = 0;
};

/// Executes all blocks, a few at a time, in an order that the seed decides.
void execute(const Launch& launch);

}  // namespace driver
