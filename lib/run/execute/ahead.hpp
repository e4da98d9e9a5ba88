// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Iterations of a loop that are launched before it is known whether they are wanted.
#pragma once

#include "run/execute/frame.hpp"

#include <memory>
#include <vector>

namespace sinter::runtime {

struct Ahead {
    std::unique_ptr<Lookahead> device;
    const void* guard = nullptr;             ///< of what is launched now
    std::vector<std::vector<Slot>> states;   ///< before each iteration, and behind the last
    std::vector<const KernelStep*> checked;  ///< what was launched with records

    void prepare(const KernelStep& step, Launch& launch);
    /// How many of an array's owners are `states`.
    long kept(const BufferRef& array) const;
};

}  // namespace sinter::runtime
