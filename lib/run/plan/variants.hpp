// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The plans of one program. There is one, unless what can be fused, or what should be, depends on the extents of a call:
/// then one for each set of the program's wishes (enable/wishes.hpp) that held in a call, and of these one for each class of
/// extents.
#pragma once

#include "enable/wishes.hpp"
#include "run/plan/plan.hpp"

#include <shared_mutex>
#include <unordered_map>

namespace sinter::runtime {

class PlanVariants {
  public:
    /// Of a prepared program.
    PlanVariants(ir::Program program, const PlanOptions& options, Backend& backend, KernelCache& kernels);

    /// For any extents. Thread-safe, as find() is.
    std::shared_ptr<const Plan> general() { return family(0, nullptr).first; }
    /// Whether find() may give other plans.
    bool depends_on_call() { return !wishes_.empty() || general()->depends_on_extents; }
    std::shared_ptr<const Plan> find(const Call& call);

  private:
    /// Plans of one specialisation of the program.
    struct Family {
        ir::Program program;
        std::shared_ptr<const Plan> first;  ///< for any extents
        std::unordered_map<std::uint64_t, std::shared_ptr<const Plan>> by_class;
    };
    using Facts = std::uint64_t;  ///< one bit a wish: it holds

    Facts facts(const Call& call) const;
    Family& family(Facts facts, const Call* call);
    std::shared_ptr<const Plan> find(Family& family, const Call& call);

    ir::Program program_;
    std::vector<enable::Wish> wishes_;
    PlanOptions options_;
    Backend& backend_;
    KernelCache& kernels_;
    std::shared_mutex mutex_;
    std::unordered_map<Facts, Family> families_;  ///< stay where they are
};

}  // namespace sinter::runtime
