// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/swept/known_sweeps.hpp"

namespace sinter::runtime {

std::shared_ptr<const Sweep> KnownSweeps::find(const Key& key) {
    {
        const std::lock_guard lock(mutex_);
        ++wanted_;
    }
    return sweeps_.find(key);
}

void KnownSweeps::keep(Key key, std::shared_ptr<const Sweep> sweep) { sweeps_.keep(std::move(key), std::move(sweep)); }

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
