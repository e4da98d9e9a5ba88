// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/foreign.hpp"

#include "support/threads/float_environment.hpp"

namespace sinter {

std::vector<ForeignArray> ForeignFunction::call(std::span<const ForeignArray> arguments) const {
    const FloatEnvironment ours;
    std::vector<ForeignArray> made = do_call(arguments);
    // The function may have left a device working on the arrays, and its caller need not know of that device.
    for (const ForeignArray& array : made) array.buffer->await();
    return made;
}

}  // namespace sinter
