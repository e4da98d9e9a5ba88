// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The plans of one program. There is one, unless its best clusters depend on extents: then one for each class of extents it
/// was called with.
#pragma once

#include "run/plan.hpp"

#include <shared_mutex>
#include <unordered_map>

namespace sinter::runtime {

class PlanVariants {
  public:
    /// `first`: for any extents.
    PlanVariants(std::shared_ptr<const Plan> first, const PlanOptions& options, Backend& backend, KernelCache& kernels)
        : first_(std::move(first)), options_(options), backend_(backend), kernels_(kernels) {}

    const std::shared_ptr<const Plan>& first() const { return first_; }
    /// Thread-safe.
    std::shared_ptr<const Plan> find(const Call& call);

  private:
    std::shared_ptr<const Plan> first_;
    PlanOptions options_;
    Backend& backend_;
    KernelCache& kernels_;
    std::shared_mutex mutex_;
    std::unordered_map<std::uint64_t, std::shared_ptr<const Plan>> by_class_;
};

}  // namespace sinter::runtime
