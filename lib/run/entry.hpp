// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What every call of the library that computes something has in common.
#pragma once

#include <sinter/error.hpp>

#include "support/check.hpp"
#include "support/log.hpp"
#include "support/threads/cancellation.hpp"
#include "support/threads/float_environment.hpp"

#include <fmt/format.h>

#include <chrono>
#include <new>
#include <stdexcept>
#include <string_view>

namespace sinter::runtime {

[[noreturn]] inline void throw_short_of_memory(std::string_view what, location where) {
    throw MemoryError(fmt::format("{}: not enough memory", what), where);
}

/// With SINTER_LOG=debug, logs a line for the call, with its time.
class LoggedCall {
  public:
    LoggedCall(std::string_view what, location where) : what_(what), where_(where) {
        if (logs(LogLevel::debug)) begin_ = Clock::now();
    }
    ~LoggedCall() {
        if (begin_ == Clock::time_point()) return;
        const double us = std::chrono::duration<double, std::micro>(Clock::now() - begin_).count();
        log_line(LogLevel::debug, "{} took {:.1f} us ({}:{})", what_, us, where_.file_name(), where_.line());
    }
    LoggedCall(const LoggedCall&) = delete;
    LoggedCall& operator=(const LoggedCall&) = delete;

  private:
    using Clock = std::chrono::steady_clock;

    std::string_view what_;
    location where_;
    Clock::time_point begin_;
};

/// Calls f() in the default floating-point environment, whatever that of the caller is; a thread that is cancelled meanwhile
/// ends when f() has returned. If there is too little memory for
/// the library's own needs, and nothing else has reported that, the error names the call. Errors without a line of the
/// user's get this one.
template <class F>
auto enter(std::string_view what, location where, F f) {
    const NoCancellation uncancelled;
    const DefaultFloatEnvironment floats;
    const LoggedCall logged(what, where);
    auto with_memory = [&] {
        try {
            return with_place(where, f);
        } catch (const std::bad_alloc&) {
            throw_short_of_memory(what, where);
        } catch (const std::length_error&) {
            throw_short_of_memory(what, where);
        }
    };
    try {
        return with_memory();
    } catch (const Error& error) {
        log_line(LogLevel::error, "{}", error.what());
        throw;
    }
}

}  // namespace sinter::runtime
