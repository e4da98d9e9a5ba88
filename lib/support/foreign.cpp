// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/foreign.hpp"

#include "support/float_environment.hpp"

namespace sinter {

std::vector<ForeignArray> ForeignFunction::call(std::span<const ForeignArray> arguments) const {
    const FloatEnvironment ours;
    return do_call(arguments);
}

}  // namespace sinter
