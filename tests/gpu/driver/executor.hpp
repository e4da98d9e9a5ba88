// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Instructions, executed by a thread or by a warp.
#pragma once

#include "grid.hpp"
#include "memory.hpp"
#include "visibility.hpp"

namespace driver {

class Executor {
  public:
    explicit Executor(const Launch& launch) : launch_(launch) {}

    /// Executes instructions until the thread has executed `count`, waits or has ended. Returns how many.
    int run(Block& block, Thread& thread, int count) {
        return thread.state == State::runs ? run_on(block, thread, count) : 0;
    }
    /// The instruction at which all lanes of the warp wait.
    void run_warp(Block& block, std::size_t warp);
    /// The threads of the block wait at one barrier.
    void pass_barrier(Block& block);

    /// All threads have ended.
    void finish() const;

    Visibility& visibility() { return visibility_; }
    /// Says where something went wrong.
    [[noreturn]] void stop(const Block& block, const Thread& thread, const std::string& rule) const;

  private:
    struct Place {
        Cells* cells;  ///< null for memory that no other thread reaches
        std::size_t offset;
        bool is_global;
    };

    int run_on(Block& block, Thread& thread, int count);
    static int run_alone(Frame& frame, int count);
    void step(Block& block, Thread& thread, const Instruction& in);
    void load(Block& block, Thread& thread, const Instruction& in);
    void store(Block& block, Thread& thread, const Instruction& in);
    void update(Block& block, Thread& thread, const Instruction& in);
    Place locate(Block& block, Thread& thread, const Instruction& in, std::uint64_t address, std::size_t bytes);
    void take_down(Block& block, Thread& thread, const Place& place, std::size_t bytes, const Access& access);
    Moment moment(const Block& block, const Thread& thread) const;
    void call(Thread& thread, const Instruction& in);
    void leave(Block& block, Thread& thread, const Instruction& in);
    void check_warp(const Block& block, std::size_t warp) const;

    std::string describe(const Block& block, const Thread& thread, const std::string& rule) const;

    const Launch& launch_;
    Visibility visibility_;
    bool has_reported_ = false;  ///< that a check has failed
    std::string stores_;         ///< the first two that nothing orders
};

/// A thread before its first instruction.
Frame first_frame(const Launch& launch, const Function& function, Block& block, Thread& thread);

}  // namespace driver
