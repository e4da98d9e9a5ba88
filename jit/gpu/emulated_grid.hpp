// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the functions of builtin_names.hpp do where a block is emulated.
#pragma once

#include "jit/gpu/builtin_names.hpp"
#include "jit/gpu/fibers.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sinter::gpu {

/// Executes blocks, one at a time. Not thread-safe.
class EmulatedGrid {
  public:
    using Kernel = void (*)(void* const* parameters);

    EmulatedGrid();
    /// `waits`: whether threads of the kernel wait for each other. Throws InternalError if they wait for ever.
    void launch(Kernel kernel, void* const* parameters, std::int64_t blocks, std::size_t shared_bytes, bool waits);

    /// Addresses of the functions by name.
    static std::vector<std::pair<const char*, void*>> builtins();

  private:
    struct Thread {
        std::uint64_t barriers = 0, exchanges = 0;  ///< that it has passed or waits at
        bool ended = false;
    };

    void run_block(Kernel kernel, void* const* parameters, bool waits);
    void run_waiting();
    bool may_go_on(std::size_t thread) const;
    void barrier();
    std::uint32_t from_lane(std::uint32_t value, std::uint32_t lane);

    static EmulatedGrid& running();
    static std::uint32_t builtin_thread();
    static std::uint32_t builtin_block();
    static std::uint32_t builtin_blocks();
    static void builtin_barrier();
    static std::uint32_t builtin_from_lane(std::uint32_t value, std::uint32_t lane);
    static void* builtin_shared();
    static void builtin_fence();

    std::optional<Fibers> fibers_;  ///< new ones where threads have been left waiting
    std::vector<Thread> threads_;
    std::vector<std::uint64_t> arrived_;    ///< by warp: at exchanges; the last one: at barriers
    std::vector<std::uint32_t> exchanged_;  ///< [two exchanges in turn][thread]
    std::vector<std::uint64_t> shared_;
    std::size_t thread_ = 0;
    std::int64_t block_ = 0, blocks_ = 0;
    std::uint64_t launches_ = 0;
};

}  // namespace sinter::gpu
