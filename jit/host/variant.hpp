// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Code for one kernel and schedule, made or found on disk when it is first needed.
#pragma once

#include "jit/host/code_object.hpp"
#include "jit/host/object_cache.hpp"
#include "support/process.hpp"

#include <atomic>
#include <memory>
#include <mutex>

namespace sinter::host {

/// Thread-safe.
class Variant {
  public:
    const LoadedObject& get(const lower::Kernel& kernel, const Target& target, const emit::Schedule& schedule) const {
        if (const LoadedObject* made = ready_.load(std::memory_order_acquire)) return *made;
        const CriticalSection section;
        const std::lock_guard lock(mutex_);
        if (!object_) object_ = std::make_unique<LoadedObject>(find_or_compile(kernel, target, schedule));
        ready_.store(object_.get(), std::memory_order_release);
        return *object_;
    }

  private:
    mutable std::atomic<const LoadedObject*> ready_{nullptr};
    mutable std::mutex mutex_;
    mutable std::unique_ptr<LoadedObject> object_;
};

}  // namespace sinter::host
