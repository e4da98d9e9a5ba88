// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Internal invariants: a violated one is an InternalError, never an abort.
#pragma once

#include <sinter/error.hpp>

#include <string>

namespace sinter {

[[noreturn]] void fail_check(const std::string& message, location where);

/// Throws InternalError unless `condition` holds.
inline void check(bool condition, const char* message, location where = location::current()) {
    if (!condition) fail_check(message, where);
}

}  // namespace sinter
