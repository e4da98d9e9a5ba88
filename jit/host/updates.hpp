// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Executes a kernel that updates in another way than one point after another, where that is faster.
#pragma once

#include "jit/host/update_launch.hpp"
#include "jit/host/variant.hpp"

namespace sinter::host {

/// Thread-safe.
class Updates {
  public:
    /// `target` must outlive this.
    Updates(UpdateKernels kernels, const Target& target);

    /// `in_order`: the kernel as it is. False if that is the best way for this launch: nothing has been done then.
    bool launch(const LoadedObject& in_order, const Tiling& tiling, const runtime::Launch& launch) const;

  private:
    emit::Entry entry(const Variant& variant, const lower::Kernel& kernel) const {
        return variant.get(kernel, target_, {}).kernel();
    }

    UpdateKernels kernels_;
    const Target& target_;
    Variant noted_, applied_, merged_;
};

}  // namespace sinter::host
