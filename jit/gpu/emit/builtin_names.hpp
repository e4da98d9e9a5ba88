// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What generated code asks of the hardware: a few functions that a module declares. The card has instructions for them
/// (nvptx.cpp), the emulator functions of its own (emulated_grid.cpp). Nothing else of a module depends on who executes it.
#pragma once

#include "schedule/card/tuning.hpp"

namespace sinter::gpu {

namespace card = schedule::card;
using card::block_threads;
using card::block_warps;
using card::warp_threads;

/// As they are declared.
namespace builtin {
inline constexpr const char* thread = "sinter.thread";        ///< i32(): in its block
inline constexpr const char* block = "sinter.block";          ///< i32()
inline constexpr const char* blocks = "sinter.blocks";        ///< i32(): of the launch
inline constexpr const char* barrier = "sinter.barrier";      ///< void(): all threads of the block arrive; orders memory
inline constexpr const char* from_lane = "sinter.from_lane";  ///< i32(value, lane): all threads of the warp take part
inline constexpr const char* shared = "sinter.shared";        ///< ptr(): memory of the block
inline constexpr const char* fence = "sinter.fence";          ///< void(): writes before it are seen before those behind it
inline constexpr const char* peers = "sinter.peers";    ///< i32(value): the lanes of the warp with the same one, as bits
inline constexpr const char* ballot = "sinter.ballot";  ///< i32(value): the lanes of the warp where it is not 0
inline constexpr const char* warp_barrier = "sinter.warp_barrier";  ///< void(): the same for threads of a warp
inline constexpr const char* pause = "sinter.pause";                ///< void(): where a thread waits for another block
}  // namespace builtin

}  // namespace sinter::gpu
