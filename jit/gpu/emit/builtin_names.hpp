// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What generated code needs from the hardware: a few functions that a module declares. The card has instructions for them
/// (nvptx.cpp), the emulator has its own functions (emulated_grid.cpp). Nothing else in a module depends on who executes it.
#pragma once

#include "schedule/card/tuning.hpp"

namespace sinter::gpu {

namespace card = schedule::card;
using card::block_threads;
using card::block_warps;
using card::warp_threads;

/// The names under which they are declared.
namespace builtin {
inline constexpr const char* thread = "sinter.thread";        ///< i32(): number of the thread in its block
inline constexpr const char* block = "sinter.block";          ///< i32()
inline constexpr const char* blocks = "sinter.blocks";        ///< i32(): number of blocks in the launch
inline constexpr const char* barrier = "sinter.barrier";      ///< void(): a barrier for all threads of the block; orders
                                                              ///< memory
inline constexpr const char* from_lane = "sinter.from_lane";  ///< i32(value, lane): all threads of the warp take part
inline constexpr const char* shared = "sinter.shared";        ///< ptr(): memory of the block
inline constexpr const char* fence = "sinter.fence";          ///< void(): writes before it are seen before those after it
inline constexpr const char* load_relaxed = "sinter.load_relaxed";    ///< i64(ptr): a word that other blocks store
inline constexpr const char* load_acquire = "sinter.load_acquire";    ///< the same; what was stored before the value was
                                                                      ///< released is seen by what comes after
inline constexpr const char* store_relaxed = "sinter.store_relaxed";  ///< void(ptr, i64): a word that other blocks load
inline constexpr const char* store_release = "sinter.store_release";  ///< the same, after all writes before it
inline constexpr const char* peers = "sinter.peers";    ///< i32(value): the lanes of the warp that have the same value, as
                                                        ///< bits
inline constexpr const char* ballot = "sinter.ballot";  ///< i32(value): the lanes of the warp where it is not 0
inline constexpr const char* warp_barrier = "sinter.warp_barrier";  ///< void(): a barrier for the threads of a warp
/// <4 x float>(<4 x float> sums, i32 x 4, i32 x 2): the threads of a warp add to 16 by 8 floats the product of 16 by 16
/// halves with 16 by 8. Thread t has of the sums and of the first factor rows t / 4 and t / 4 + 8, of the second one column
/// t / 4; along the other axis, sums 2 (t % 4) and the next one, halves these and those 8 beyond, two in each i32
inline constexpr const char* multiply_add = "sinter.multiply_add";
/// The same of 16 by 8 with 8 by 8 numbers of TF32: thread t has t % 4 and the one 4 beyond
inline constexpr const char* multiply_add_tf32 = "sinter.multiply_add_tf32";
inline constexpr const char* to_tf32 = "sinter.to_tf32";  ///< i32(float): rounded to 11 bits, to nearest, ties away from 0
inline constexpr const char* pause = "sinter.pause";      ///< void(): used where a thread waits for another block
}  // namespace builtin

/// An attribute of kernels: a multiprocessor has to have room for this many of its blocks, which bounds their registers.
inline constexpr const char* blocks_each_attribute = "sinter.blocks_each";

}  // namespace sinter::gpu
