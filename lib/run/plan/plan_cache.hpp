// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The plans of the process, by the canonical text of their program. Where compiled programs take more memory than they may,
/// those are dropped that were not used for longest; one that a call is at, or a compiled function has, lives on.
#pragma once

#include "run/plan/variants.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <string>
#include <unordered_map>

namespace sinter::runtime {

/// Thread-safe.
class PlanCache {
  public:
    /// Null if it is not there.
    std::shared_ptr<PlanVariants> find(const std::string& key);
    /// If another thread was faster, its plans.
    std::shared_ptr<PlanVariants> insert(std::string key, std::shared_ptr<PlanVariants> plans);

  private:
    struct Entry {
        std::shared_ptr<PlanVariants> plans;
        CodeCharge key;
        std::atomic<std::uint64_t> used;  ///< the higher, the later

        Entry(std::shared_ptr<PlanVariants> made, std::size_t key_bytes, std::uint64_t now)
            : plans(std::move(made)), key(key_bytes), used(now) {}
    };
    using Entries = std::unordered_map<std::string, Entry>;

    void drop_oldest();

    std::shared_mutex mutex_;
    Entries entries_;
    std::atomic<std::uint64_t> clock_{0};
    std::size_t drop_from_ = 0;  ///< bytes of compiled programs that make it worth looking for what can be dropped
};

}  // namespace sinter::runtime
