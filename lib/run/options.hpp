// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Turns public options, with the defaults from the environment, into those of the engine.
#pragma once

#include <sinter/options.hpp>

#include "run/engine.hpp"

namespace sinter::runtime {

/// SINTER_TARGET, SINTER_THREADS and SINTER_FUSION apply where the options leave the choice open. UsageError if one of them
/// has a value without meaning; DeviceError for a target that this build cannot reach.
RunOptions resolve(const Options& options, location where);

}  // namespace sinter::runtime
