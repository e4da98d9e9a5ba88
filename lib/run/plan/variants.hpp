// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The plans of one program. There is one, unless what can or should be fused depends on the extents of a call. Then there
/// is one for each set of the program's wishes (enable/wishes.hpp) that has held in a call, and for each of these one per
/// class of extents.
#pragma once

#include "enable/wishes.hpp"
#include "run/plan/plan.hpp"

#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace sinter::runtime {

class PlanVariants {
  public:
    /// `program` has to be prepared.
    PlanVariants(ir::Program program, const PlanOptions& options, Backend& backend, KernelCache& kernels);

    /// The plan for any extents. Thread-safe, as find() is. If the program has wishes, calls usually take other plans: no
    /// code is generated for this one before it is executed.
    std::shared_ptr<const Plan> general();
    /// True if find() may return other plans.
    bool depends_on_call() { return !wishes_.empty() || general()->depends_on_extents; }
    std::shared_ptr<const Plan> find(const Call& call);

  private:
    /// The plans of one specialisation of the program.
    struct Family {
        ir::Program program;
        std::shared_ptr<const Plan> first;  ///< for any extents
        std::unordered_map<std::uint64_t, std::shared_ptr<const Plan>> by_class;
    };
    using Facts = std::uint64_t;  ///< one bit per wish, set if it holds

    Facts facts(const Call& call) const;
    Family& family(Facts facts, const Call* call);
    std::shared_ptr<const Plan> find(Family& family, const Call& call);

    ir::Program program_;
    std::vector<enable::Wish> wishes_;
    PlanOptions options_;
    Backend& backend_;
    KernelCache& kernels_;
    std::once_flag general_made_;
    std::shared_ptr<const Plan> general_;  ///< if there are wishes
    std::shared_mutex mutex_;
    std::unordered_map<Facts, Family> families_;  ///< they do not move
};

}  // namespace sinter::runtime
