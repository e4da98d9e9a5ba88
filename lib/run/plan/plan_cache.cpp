// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/plan/plan_cache.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

namespace sinter::runtime {

std::shared_ptr<PlanVariants> PlanCache::find(const std::string& key) {
    const std::shared_lock lock(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end()) return nullptr;
    found->second.used.store(clock_.fetch_add(1, std::memory_order_relaxed), std::memory_order_relaxed);
    return found->second.plans;
}

std::shared_ptr<PlanVariants> PlanCache::insert(std::string key, std::shared_ptr<PlanVariants> plans) {
    const std::unique_lock lock(mutex_);
    const std::size_t bytes = key.size();
    const auto entry = entries_.try_emplace(std::move(key), std::move(plans), bytes, clock_.fetch_add(1)).first;
    std::shared_ptr<PlanVariants> kept = entry->second.plans;  // held, so that it is not dropped with others
    if (CodeCharge::total() > std::max(code_limit(), drop_from_)) drop_oldest();
    return kept;
}

/// Drops the oldest plans until a quarter of the permitted memory is free, so that this is not needed again soon; nor is it
/// if the plans in use take more than that.
void PlanCache::drop_oldest() {
    std::vector<Entries::iterator> idle;
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
        if (entry->second.plans.use_count() == 1) idle.push_back(entry);
    std::sort(idle.begin(), idle.end(), [](const auto& a, const auto& b) { return a->second.used < b->second.used; });
    const std::size_t limit = code_limit();
    for (const auto& entry : idle) {
        if (CodeCharge::total() <= limit / 4 * 3) break;
        entries_.erase(entry);
    }
    drop_from_ = CodeCharge::total() + limit / 8;
}

}  // namespace sinter::runtime
