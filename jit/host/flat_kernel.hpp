// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A kernel whose innermost two axes are counted as one (lower/flatten.hpp): lanes are full however short the rows are, but
/// what is not a row-major position costs a division, and reads of neighbours along a row become gathers.
#pragma once

#include "jit/host/schedule.hpp"
#include "jit/host/variant.hpp"

#include <memory>
#include <vector>

namespace sinter::host {

/// Thread-safe.
class FlatKernel {
  public:
    FlatKernel(const lower::Kernel& original, std::shared_ptr<const Target> target);

    /// Whether pays() may be true.
    static bool is_worth_a_look(const lower::Kernel& original, const Traits& traits, const std::int64_t* sizes);
    /// Whether a launch with these of the original's sizes takes fewer vector instructions than the original's.
    bool pays(const lower::Kernel& original, const Traits& traits, const std::int64_t* sizes) const;

    const lower::Kernel& kernel() const { return kernel_; }
    const Traits& traits() const { return traits_; }
    /// Its size table for these of the original's.
    std::vector<std::int64_t> sizes(const lower::Kernel& original, const std::int64_t* sizes) const;
    const LoadedObject& code() const { return variant_.get(kernel_, *target_, {emit::Mode::points, nullptr}); }

  private:
    const lower::Kernel kernel_;
    std::shared_ptr<const Target> target_;
    Traits traits_;  ///< refers to kernel_
    Variant variant_;
};

}  // namespace sinter::host
