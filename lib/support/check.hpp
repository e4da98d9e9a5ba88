// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Internal invariants: a violated one is an InternalError, never an abort.
#pragma once

#include "support/shared.hpp"

#include <sinter/error.hpp>

#include <string>

namespace sinter {

[[noreturn]] SINTER_SHARED void fail_check(const std::string& message, location where);

/// The same error, of this place.
[[noreturn]] void throw_at(const Error& error, location where);

/// f(), whose errors that know no place of the user's are of this one.
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
