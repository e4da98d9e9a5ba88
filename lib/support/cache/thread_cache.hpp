// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A few things that a thread keeps for reuse, without a lock or an allocator in the way.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

namespace sinter {

/// Has to be part of a constant-initialised thread_local variable; a thread has one of each type. `Dispose()(thing)` gives
/// things back when the thread ends; from then on nothing is kept, so that variables that are destroyed later may still use
/// it.
template <class T, std::size_t capacity, class Dispose>
class ThreadCache {
  public:
    /// Returns false if the caller has to dispose of it.
    bool keep(T thing) {
        if (ended_ || count_ == capacity) return false;
        if (!std::exchange(cleaned_, true)) {
            static thread_local Cleaner cleaner{this};
            static_cast<void>(cleaner);
        }
        kept_[count_++] = thing;
        return true;
    }

    std::optional<T> take() {
        if (count_ == 0) return std::nullopt;
        return kept_[--count_];
    }

  private:
    struct Cleaner {
        ThreadCache* cache;
        ~Cleaner() {
            cache->ended_ = true;
            while (cache->count_ > 0) Dispose()(cache->kept_[--cache->count_]);
        }
    };

    std::size_t count_ = 0;
    bool cleaned_ = false;  ///< what is kept has been given back, or will be
    bool ended_ = false;
    std::array<T, capacity> kept_{};
};

}  // namespace sinter
