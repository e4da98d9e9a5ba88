// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/swept/known_sweeps.hpp"

#include "run/tuning.hpp"

#include <algorithm>

namespace sinter::runtime {

std::shared_ptr<const Sweep> KnownSweeps::find(const Key& key) {
    const std::lock_guard lock(mutex_);
    ++wanted_;
    const auto found = std::find_if(sweeps_.begin(), sweeps_.end(), [&](const auto& known) { return known.first == key; });
    return found == sweeps_.end() ? nullptr : found->second;
}

void KnownSweeps::keep(Key key, std::shared_ptr<const Sweep> sweep) {
    const std::lock_guard lock(mutex_);
    sweeps_.emplace(sweeps_.begin(), std::move(key), std::move(sweep));
    if (sweeps_.size() > tuning::most_known_sweeps) sweeps_.pop_back();
}

bool KnownSweeps::pay_kernels() const {
    const std::lock_guard lock(mutex_);
    return wanted_ >= tuning::sweeps_before_kernels;
}

KnownSweeps::Kernel KnownSweeps::kernel_for(const CachedKernel& other, const std::function<Kernel()>& make) {
    const std::lock_guard lock(mutex_);
    const auto [found, is_new] = kernels_.try_emplace(&other);
    if (is_new) found->second = make();
    return found->second;
}

}  // namespace sinter::runtime
