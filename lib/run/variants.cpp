// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/variants.hpp"

#include "run/extents.hpp"

#include <mutex>

namespace sinter::runtime {

namespace {

/// A program called with more classes of extents than these runs as it was planned first.
constexpr std::size_t most_variants = 64;

}  // namespace

std::shared_ptr<const Plan> PlanVariants::find(const Call& call) {
    if (!first_->depends_on_extents) return first_;
    std::uint64_t name = extents_class(first_->program, call);
    {
        std::shared_lock lock(mutex_);
        if (auto found = by_class_.find(name); found != by_class_.end()) return found->second;
        if (by_class_.size() >= most_variants) return first_;
    }
    auto plan = plan_again(*first_, options_, backend_, kernels_, call);
    std::unique_lock lock(mutex_);
    return by_class_.emplace(name, std::move(plan)).first->second;
}

}  // namespace sinter::runtime
