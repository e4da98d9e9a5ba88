// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Public options, with the environment's defaults, as the engine takes them.
#pragma once

#include <sinter/options.hpp>

#include "run/engine.hpp"

namespace sinter::runtime {

/// SINTER_TARGET, SINTER_THREADS and SINTER_FUSION count where the options leave the choice open.
/// UsageError for a value of theirs that means nothing; DeviceError for a target this build cannot reach.
RunOptions resolve(const Options& options, location where);

}  // namespace sinter::runtime
