// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A cache for things that are asked for with few different keys, on a path that must not wait: it keeps the first few
/// entries.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>

namespace sinter {

/// Thread-safe; finding takes no lock. Entries live as long as the cache.
template <class T, std::size_t Few = 8>
class FirstFew {
  public:
    FirstFew() = default;
    ~FirstFew() {
        for (auto& place : places_) delete place.load(std::memory_order_relaxed);
    }
    FirstFew(const FirstFew&) = delete;
    FirstFew& operator=(const FirstFew&) = delete;

    /// Null if no entry fits.
    template <class Fitting>
    const T* find(Fitting fitting) const {
        for (const auto& place : places_) {
            const T* entry = place.load(std::memory_order_acquire);
            if (!entry || fitting(*entry)) return entry;
        }
        return nullptr;
    }
    /// The entry is dropped if all places are taken.
    void keep(std::unique_ptr<const T> entry) {
        for (auto& place : places_) {
            const T* none = nullptr;
            if (!place.compare_exchange_strong(none, entry.get(), std::memory_order_acq_rel)) continue;
            entry.release();
            return;
        }
    }
    bool full() const { return places_.back().load(std::memory_order_relaxed) != nullptr; }

  private:
    std::array<std::atomic<const T*>, Few> places_{};
};

}  // namespace sinter
