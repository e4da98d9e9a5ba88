// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Implements the functions of builtin_names.hpp where a block is emulated.
#pragma once

#include "jit/generator/card_code.hpp"
#include "jit/gpu/emit/builtin_names.hpp"
#include "jit/gpu/emulator/fibers.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sinter::gpu {

/// Executes blocks of threads. Not thread-safe.
class EmulatedGrid {
  public:
    using Kernel = void (*)(void* const* parameters);

    using Waits = codegen::Waits;

    /// Throws InternalError if threads wait forever.
    void launch(Kernel kernel, void* const* parameters, std::int64_t blocks, std::size_t shared_bytes, Waits waits);

    /// The addresses of the functions, by name.
    static std::vector<std::pair<const char*, void*>> builtins();

  private:
    struct Thread {
        std::uint64_t barriers = 0, exchanges = 0;  ///< numbers of those that it has passed or is waiting at
        bool ended = false;
    };

    /// A block that has begun.
    struct Block {
        std::int64_t index = 0;
        std::vector<Thread> threads;
        std::vector<std::uint64_t> arrived;    ///< by warp: number of threads that have arrived at exchanges; the last entry
                                               ///< is for barriers
        std::vector<std::uint32_t> exchanged;  ///< [two exchanges alternately][thread]
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
    static std::uint64_t builtin_load(const std::uint64_t* word);
    static void builtin_store(std::uint64_t* word, std::uint64_t value);
    static void builtin_pause();
    static void builtin_warp_barrier();
    static std::uint32_t builtin_peers(std::uint32_t value);
    static std::uint32_t builtin_ballot(std::uint32_t value);
    /// As LLVM passes <4 x float>.
    using Sums [[gnu::vector_size(16)]] = float;
    static Sums builtin_multiply_add(Sums sums, std::uint32_t a0, std::uint32_t a1, std::uint32_t a2, std::uint32_t a3,
                                     std::uint32_t b0, std::uint32_t b1);
    static Sums builtin_multiply_add_tf32(Sums sums, std::uint32_t a0, std::uint32_t a1, std::uint32_t a2, std::uint32_t a3,
                                          std::uint32_t b0, std::uint32_t b1);
    static std::uint32_t builtin_to_tf32(float x);
    static Sums multiply_add(Sums sums, const std::array<std::uint32_t, 6>& own, std::size_t halves_each,
                             double (*number)(std::uint32_t word, std::size_t half));

    std::optional<Fibers> fibers_;  ///< replaced by new ones if threads have been left waiting
    std::vector<Block> begun_;      ///< and not ended
    std::size_t fiber_ = 0;         ///< the one that is being executed: threads of begun_[0], of begun_[1], and so on
    std::int64_t blocks_ = 0;
    std::size_t left_ = 0;        ///< number of threads of begun_ that have not ended
    std::uint64_t progress_ = 0;  ///< grows whenever a thread does more than check if it may continue
    std::uint64_t launches_ = 0;
};

}  // namespace sinter::gpu
