// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the functions of builtin_names.hpp do where a block is emulated.
#pragma once

#include "jit/generator/card_code.hpp"
#include "jit/gpu/emit/builtin_names.hpp"
#include "jit/gpu/emulator/fibers.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sinter::gpu {

/// Executes blocks. Not thread-safe.
class EmulatedGrid {
  public:
    using Kernel = void (*)(void* const* parameters);

    using Waits = codegen::Waits;

    /// Throws InternalError if threads wait for ever.
    void launch(Kernel kernel, void* const* parameters, std::int64_t blocks, std::size_t shared_bytes, Waits waits);

    /// Addresses of the functions by name.
    static std::vector<std::pair<const char*, void*>> builtins();

  private:
    struct Thread {
        std::uint64_t barriers = 0, exchanges = 0;  ///< that it has passed or waits at
        bool ended = false;
    };

    /// A block that has begun.
    struct Block {
        std::int64_t index = 0;
        std::vector<Thread> threads;
        std::vector<std::uint64_t> arrived;    ///< by warp: at exchanges; the last one: at barriers
        std::vector<std::uint32_t> exchanged;  ///< [two exchanges in turn][thread]
        std::vector<std::uint64_t> shared;
    };

    void begin_blocks(std::int64_t first, std::size_t count, bool backwards, std::size_t shared_bytes);
    void run_waiting();
    void run_round(std::uint64_t round, std::size_t late);
    bool may_go_on(const Block& block, std::size_t thread) const;
    void barrier();
    const std::uint32_t* exchange(std::uint32_t value);
    Block& block() { return begun_[fiber_ / block_threads]; }
    std::size_t thread() const { return fiber_ % block_threads; }

    static EmulatedGrid& running();
    static std::uint32_t builtin_thread();
    static std::uint32_t builtin_block();
    static std::uint32_t builtin_blocks();
    static void builtin_barrier();
    static std::uint32_t builtin_from_lane(std::uint32_t value, std::uint32_t lane);
    static void* builtin_shared();
    static void builtin_fence();
    static void builtin_pause();
    static void builtin_warp_barrier();
    static std::uint32_t builtin_peers(std::uint32_t value);
    static std::uint32_t builtin_ballot(std::uint32_t value);

    std::optional<Fibers> fibers_;  ///< new ones where threads have been left waiting
    std::vector<Block> begun_;      ///< and not ended
    std::size_t fiber_ = 0;         ///< that is executed: threads of begun_[0], of begun_[1], ..
    std::int64_t blocks_ = 0;
    std::size_t left_ = 0;        ///< threads of begun_ that have not ended
    std::uint64_t progress_ = 0;  ///< grows whenever a thread does more than look whether it may go on
    std::uint64_t launches_ = 0;
};

}  // namespace sinter::gpu
