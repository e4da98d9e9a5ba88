// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What has been found out about a loop and the one that goes back through its tapes (sweep.hpp). A loop of many iterations
/// goes there and back in segments that are alike: only the first needs to be looked at.
#pragma once

#include "lower/kernel.hpp"
#include "run/tuning.hpp"
#include "support/cache/last_few.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace sinter::runtime {

struct Sweep;
struct CachedKernel;

/// Thread-safe.
class KnownSweeps {
  public:
    /// Numbers and extents on which a sweep depends.
    using Key = std::vector<std::int64_t>;
    using Kernel = std::shared_ptr<const CachedKernel>;

    /// Null if it is not known; counts the question.
    std::shared_ptr<const Sweep> find(const Key& key);
    void keep(Key key, std::shared_ptr<const Sweep> sweep);
    /// True once so many sweeps have been wanted that kernels which only they launch pay.
    bool pay_kernels() const;
    /// The kernel that stands for another one, which is made on first use; null if there is none.
    Kernel kernel_for(const CachedKernel& other, const std::function<Kernel()>& make);

  private:
    mutable std::mutex mutex_;
    LastFew<Key, Sweep> sweeps_{tuning::most_known_sweeps};
    std::map<const CachedKernel*, Kernel> kernels_;
    std::int64_t wanted_ = 0;
};

}  // namespace sinter::runtime
