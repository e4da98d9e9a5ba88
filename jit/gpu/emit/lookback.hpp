// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What chunks of a scan tell those behind them while all of them are executed: a decoupled look-back (Merrill and Garland,
/// Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016) whose windows are fixed.
///
/// Chunks form groups of as many as a warp has threads, groups form larger ones, and so on. A chunk combines, level by
/// level, what those before it in its group have; the last of a group does so for the group. So every prefix is combined in
/// the same tree, whoever is first, and a chunk waits for totals of chunks alone: for prefixes of nobody.
#pragma once

#include "jit/gpu/emit/team.hpp"
#include "lower/kernel.hpp"

#include <vector>

namespace sinter::gpu {

/// How the values of a chunk are stored: in one word with the flag that says so if there is room, else each in an array
/// of its own, the flag behind them.
struct ChunkValues {
    std::vector<lower::Scalar> types;
    bool packed = false;
};

class Lookback {
  public:
    /// `words`: of 64 bits, the first one is not an entry's. `first`: entry of the point's first chunk.
    Lookback(emit::Code& code, Builtins& builtins, Team& team, ChunkValues values, llvm::Value* words,
             std::vector<llvm::Value*> arrays, llvm::Value* first)
        : c_(code),
          ir(code.ir),
          builtins_(builtins),
          team_(team),
          values_(std::move(values)),
          words_(words),
          arrays_(std::move(arrays)),
          first_(first) {}

    /// Publishes what chunk `index` of `count` has, the same in all threads, and returns what those before it have, or
    /// `absent` if there are none. Behind the values either may have a flag, whether they are there.
    Few before(const Few& own, const Few& absent, llvm::Value* index, llvm::Value* count, Team::Merge merge);

  private:
    Few climb(const Few& own, const Few& absent, llvm::Value* index, llvm::Value* count, Team::Merge merge);
    void publish(const Few& values, llvm::Value* entry);
    Few await(llvm::Value* entry, const Few& like);
    llvm::Value* word(llvm::Value* entry);
    llvm::Value* element(std::size_t k, llvm::Value* entry);
    llvm::Value* pack(const Few& values);
    Few unpack(llvm::Value* word);
    llvm::Value* wait_for(llvm::Value* entry);

    emit::Code& c_;
    llvm::IRBuilder<>& ir;
    Builtins& builtins_;
    Team& team_;
    ChunkValues values_;
    llvm::Value* words_;
    std::vector<llvm::Value*> arrays_;
    llvm::Value* first_;
};

}  // namespace sinter::gpu
