// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A cache for what takes a while to find out and is needed again with the same key: it keeps the last few entries.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace sinter {

/// Thread-safe. An entry that was dropped lives as long as somebody has it.
template <class Key, class T>
class LastFew {
  public:
    explicit LastFew(std::size_t few) : few_(few) {}

    /// Null if it is not known.
    std::shared_ptr<const T> find(const Key& key) const {
        const std::lock_guard lock(mutex_);
        const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const auto& e) { return e.first == key; });
        return found == entries_.end() ? nullptr : found->second;
    }
    void keep(Key key, std::shared_ptr<const T> entry) {
        const std::lock_guard lock(mutex_);
        entries_.emplace(entries_.begin(), std::move(key), std::move(entry));
        if (entries_.size() > few_) entries_.pop_back();
    }

  private:
    const std::size_t few_;
    mutable std::mutex mutex_;
    std::vector<std::pair<Key, std::shared_ptr<const T>>> entries_;  ///< the last that was kept in front
};

}  // namespace sinter
