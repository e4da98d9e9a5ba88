// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Iterations of a loop that are launched before it is known whether they are wanted.
#pragma once

#include "run/execute/frame.hpp"

#include <memory>
#include <vector>

namespace sinter::runtime {

struct Ahead {
    std::unique_ptr<Lookahead> device;
    const void* guard = nullptr;             ///< for the launches that are made now
    std::vector<std::vector<Slot>> states;   ///< before each iteration, and after the last
    std::vector<const KernelStep*> checked;  ///< the steps that were launched with records

    void prepare(const KernelStep& step, Launch& launch);
    /// The number of an array's owners that are in `states`.
    long kept(const BufferRef& array) const;
};

}  // namespace sinter::runtime
