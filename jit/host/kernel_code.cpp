// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/kernel_code.hpp"

#include "jit/host/code/object_cache.hpp"
#include "support/threads/process.hpp"

#include <utility>

namespace sinter::host {

KernelCode::KernelCode(lower::Kernel kernel, std::shared_ptr<const Target> target)
    : kernel_(std::move(kernel)),
      target_(std::move(target)),
      candidates_(schedule::candidates_of(kernel_, target_->machine())) {}

schedule::Schedule KernelCode::schedule(std::size_t way) const {
    return schedule::schedule_of(kernel_, target_->machine(), candidates_, candidates_.ways[way]);
}

const WayCode& KernelCode::code(std::size_t way, double work) const {
    Made& made = made_[way];
    if (const WayCode* ready = made.ready.load(std::memory_order_acquire)) return *ready;
    const CriticalSection section;
    const std::lock_guard lock(made.mutex);
    if (!made.code) {
        auto make = [this, way](Effort effort) { return find_or_compile(kernel_, *target_, schedule(way), effort); };
        made.code = std::make_unique<const WayCode>(make, kernel_.name, target_->effort(), work);
    }
    made.ready.store(made.code.get(), std::memory_order_release);
    return *made.code;
}

}  // namespace sinter::host
