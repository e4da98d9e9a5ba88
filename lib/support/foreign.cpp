// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/foreign.hpp"

#include "support/threads/float_environment.hpp"

namespace sinter {

std::vector<ForeignArray> ForeignFunction::call(std::span<const ForeignArray> arguments) const {
    const FloatEnvironment ours;
    std::vector<ForeignArray> made = do_call(arguments);
    // The function may have left them on a device that the caller does not know.
    for (ForeignArray& array : made) array.buffer = on_host(array.buffer);
    return made;
}

}  // namespace sinter
