// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The plans of the process, by the canonical text of their program. If compiled programs take more memory than they may,
/// those that have not been used for longest are dropped; one that a call is executing or that a compiled function has
/// stays.
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
    /// Null if there are none.
    std::shared_ptr<PlanVariants> find(const std::string& key);
    /// Returns the plans of another thread if that was faster.
    std::shared_ptr<PlanVariants> insert(std::string key, std::shared_ptr<PlanVariants> plans);

  private:
    struct Entry {
        std::shared_ptr<PlanVariants> plans;
        CodeCharge key;
        std::atomic<std::uint64_t> used;  ///< the larger, the more recent

        Entry(std::shared_ptr<PlanVariants> made, std::size_t key_bytes, std::uint64_t now)
            : plans(std::move(made)), key(key_bytes), used(now) {}
    };
    using Entries = std::unordered_map<std::string, Entry>;

    void drop_oldest();

    std::shared_mutex mutex_;
    Entries entries_;
    std::atomic<std::uint64_t> clock_{0};
    std::size_t drop_from_ = 0;  ///< bytes of compiled programs from which on it is worth looking for something to drop
};

}  // namespace sinter::runtime
