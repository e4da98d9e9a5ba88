// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Instructions, executed for some lanes of a warp at a time.
#pragma once

#include "grid.hpp"
#include "memory.hpp"
#include "visibility.hpp"

namespace driver {

class Executor {
  public:
    explicit Executor(const Launch& launch);

    /// A block before its first instruction, whose memory may have been another's.
    void begin(Block& block, std::uint32_t number) const;
    /// Executes up to `count` instructions of those of the lanes that run; where they are at different ones, of the lanes
    /// that are farthest back. False if none runs.
    bool run(Block& block, std::size_t warp, Lanes lanes, int count);
    /// The instruction at which all lanes of the warp wait.
    void run_warp(Block& block, std::size_t warp);
    /// The threads of the block wait at one barrier.
    void pass_barrier(Block& block);

    /// All threads have ended.
    void finish() const;

    Visibility& visibility() { return visibility_; }
    /// Says where something went wrong.
    [[noreturn]] void stop(const Block& block, std::uint32_t thread, const std::string& rule) const;

  private:
    /// Lanes at one instruction of one function.
    struct Group {
        Block& block;
        std::size_t warp;
        Lanes lanes;
        const Function* function;
        std::uint64_t* registers;
        const std::uint64_t* parameters;
        std::size_t next;
        std::size_t until;  ///< where other lanes are
        std::uint32_t thread(std::uint32_t lane) const { return static_cast<std::uint32_t>(warp) * warp_threads + lane; }
    };
    struct Place {
        Cells* cells;  ///< null for memory that no other thread reaches
        std::size_t offset;
        bool is_global;
    };

    Group group_of(Block& block, std::size_t warp, Lanes lanes) const;
    int run_group(Group& group, int count);
    void leave_at(const Group& group, Lanes lanes, std::size_t next) const;
    bool step(Group& group, const Instruction& in, Lanes active);
    bool part(Group& group, const Instruction& in, Lanes active);
    void wait(Group& group, const Instruction& in, Lanes active);
    void load(const Group& group, const Instruction& in, std::uint32_t lane);
    void store(const Group& group, const Instruction& in, std::uint32_t lane);
    void update(const Group& group, const Instruction& in, std::uint32_t lane);
    Place locate(const Group& group, const Instruction& in, std::uint32_t lane, std::uint64_t address, std::size_t bytes);
    void take_down(const Group& group, std::uint32_t lane, const Place& place, std::size_t bytes, Access access);
    void call(const Group& group, const Instruction& in, std::uint32_t lane);
    void end(const Group& group, const Instruction& in, std::uint32_t lane);
    void check_warp(const Block& block, std::size_t warp) const;

    const Instruction& instruction(const Block& block, std::uint32_t thread) const;
    std::string describe(const Group& group, std::uint32_t lane, const std::string& rule) const;
    std::string describe(const Block& block, std::uint32_t thread, const std::string& rule) const;

    const Launch& launch_;
    std::vector<std::uint64_t> registers_;  ///< of a warp before the kernel's first instruction
    std::size_t outgoing_ = 0;              ///< parameters of a call, at most
    Visibility visibility_;
    bool has_reported_ = false;  ///< that a check has failed
    std::string stores_;         ///< the first two that nothing orders
};

}  // namespace driver
