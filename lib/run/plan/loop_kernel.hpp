// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A sequential loop on arrays as one kernel.
///
/// Where steps are short, a loop spends its time between kernels. Its kernels are loop IR already, so they can be put
/// together: the loop and those inside of it become for_loop and while_loop, branches become cond, and every kernel becomes
/// the instructions of its point, or a for_each over its points (lower/compose/append_kernel.hpp). One thread executes it.
///
///   - Scalars, and arrays of one element, are locals. So are counters and scalar states.
///   - A state that is an array stays where it is: a kernel that changes it updates it in place, or writes each element
///     where it has read it, if nothing reads the array later, as far as that is known before anything runs. Who launches
///     the kernel gives it the initial state's memory, or a copy.
///   - Any other array that a step makes has memory of the kernel's own, as much as it takes in any step. If it becomes a
///     state, it is copied to where that is at the end of the step.
///   - Sizes that the loop changes are computed by instructions; they must be known to fit in an i64. Guards, and shapes of
///     arrays that such sizes have, become checks, where the steps would check them.
///
/// What is computed, checked and reported is the same, in the same order; sums of floating-point numbers associate as those
/// of a kernel that is not cut into chunks. Whether the kernel is launched is decided before every execution of the loop, by
/// extents (run/execute/whole_loops/loop_kernel.cpp). It is compiled when steps one by one have taken so many launches that
/// they have cost as much.
#pragma once

#include "run/plan/plan.hpp"

#include <atomic>
#include <mutex>

namespace sinter::runtime {

class LoopKernel {
  public:
    /// Its inputs are what the loop reads, its outputs are the loop's results. It has no code before compile() has returned.
    KernelStep step;
    std::vector<const ir::Guard*> guards;  ///< that the kernel checks
    std::vector<fuse::Made> shapes;        ///< that the kernel checks
    std::vector<bool> known;               ///< by size of the program: it is known before the loop begins
    bool is_known(ir::SizeId id) const { return known[id.index]; }

    // It may be launched only if these hold.
    std::vector<const ir::Guard*> known_guards;
    std::vector<fuse::Made> known_shapes;

    /// The loop's inputs that are numbers are no larger than these, and sizes of the kernel no larger than most_of_entry().
    struct Number {
        ir::ValueId id;
        std::int64_t most;
    };
    std::vector<Number> numbers;

    std::vector<const KernelStep*> parts;  ///< the kernels that it consists of
    std::vector<ir::SizeId> part_sizes;  ///< known before the loop begins: sizes of parts are made of these and of counters

    /// Counts launches that steps of the loop are about to take. True if the kernel pays: enough have been counted.
    bool pays(double launches) const;

    /// Makes the code if it has not been made before. Thread-safe.
    void compile(Backend& backend) const;
    const lower::Kernel& kernel() const { return cached_->kernel; }
    /// From the plan's thread, once.
    void set_kernel(lower::Kernel kernel);

  private:
    std::shared_ptr<CachedKernel> cached_;  ///< that of the step
    mutable std::atomic<double> launches_ = 0;
    mutable std::once_flag made_;
};

/// Nothing if the loop cannot be one kernel. `types`: those of the variables around the loop, by level. `step`, and the
/// plans of its bodies, must outlive the result.
std::shared_ptr<const LoopKernel> make_loop_kernel(const Plan& plan, const LoopStep& step,
                                                   const std::vector<ir::Type>& types);

/// Sizes that are known before a loop kernel is launched are at most this, so that products of what they and counters add up
/// to fit in an i64: (n - first - k - 1) (last - first - k - 1) does. Numbers that no size depends on may be larger.
inline constexpr std::int64_t largest_loop_size = std::int64_t{1} << 29, largest_loop_number = std::int64_t{1} << 31;

/// Of an entry of the kernel's table: products and sums of others, such as numbers of elements, may be larger, too.
inline std::int64_t most_of_entry(const ir::Size& size) {
    return size.left.valid() ? largest_loop_number : largest_loop_size;
}

}  // namespace sinter::runtime
