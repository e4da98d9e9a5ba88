// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The threads that work on one point together: a warp or a block. Their values are combined in a tree that is always the
/// same: neighbouring threads, then pairs of neighbours, and so on, then the warps from left to right.
#pragma once

#include "jit/emit/code/code.hpp"
#include "jit/gpu/emit/builtins.hpp"

#include <vector>

namespace sinter::gpu {

using emit::Few;

class Team {
  public:
    /// Combines the values of two neighbours; either may be absent, in a form that the caller chooses.
    using Merge = llvm::function_ref<Few(const Few& left, const Few& right)>;

    /// `threads`: the number in a warp or in a block.
    Team(emit::Code& code, Builtins& builtins, int threads);

    int threads() const { return threads_; }
    llvm::Value* rank() { return rank_; }  ///< of this thread
    llvm::Value* warp() { return warp_; }  ///< of this thread
    llvm::Value* lane() { return lane_; }  ///< of this thread in its warp, i32
    llvm::Value* is_first() { return is_first_; }
    /// Waits for the team; afterwards, what its threads have written can be read.
    void synchronise();

    /// The values of all threads combined in order, in every thread.
    Few reduce(Few values, Merge merge);

    /// The first thread's values, in every thread.
    Few from_first(const Few& values);
    /// The values of all threads of this warp combined in order, in each of its threads.
    Few reduce_warp(Few values, Merge merge);

    struct Prefixes {
        std::vector<Few> before;  ///< by value of this thread: what comes before it
        Few total;                ///< of all
    };
    /// The prefixes if a thread has several values. The order is: warp after warp; within a warp all first values, then all
    /// second values, and so on.
    Prefixes scan(const std::vector<Few>& values, const Few& absent, Merge merge);

  private:
    Few from_lane(const Few& values, llvm::Value* lane);
    /// condition ? merge(left, right) : otherwise.
    Few merge_if(llvm::Value* condition, const Few& left, const Few& right, const Few& otherwise, Merge merge);
    llvm::Value* slot(std::size_t k, llvm::Value* warp);
    void publish(llvm::Value* writer, const Few& values);
    Few published(const Few& like, llvm::Value* warp);
    Prefixes scan_warp(const std::vector<Few>& values, const Few& absent, Merge merge);
    int warps() const { return threads_ / warp_threads; }

    emit::Code& c_;
    llvm::IRBuilder<>& ir;
    Builtins& builtins_;
    int threads_;
    llvm::Value *rank_, *is_first_, *lane_, *warp_;
};

}  // namespace sinter::gpu
