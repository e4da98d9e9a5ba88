// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Internal invariants: if one is violated, an InternalError is thrown; the process is never aborted.
#pragma once

#include "support/shared.hpp"

#include <sinter/error.hpp>

#include <string>

namespace sinter {

[[noreturn]] SINTER_SHARED void fail_check(const std::string& message, location where);

/// Throws the same error with this place.
[[noreturn]] void throw_at(const Error& error, location where);

/// Calls f(); errors that have no place in the user's program get this one.
template <class F>
auto with_place(location where, F f) {
    try {
        return f();
    } catch (const Error& error) {
        if (error.where().line() != 0) throw;
        throw_at(error, where);
    }
}

/// Throws InternalError unless `condition` holds.
inline void check(bool condition, const char* message, location where = location::current()) {
    if (!condition) fail_check(message, where);
}

}  // namespace sinter
