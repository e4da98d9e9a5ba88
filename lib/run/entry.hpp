// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What holds for every call of the library that computes something.
#pragma once

#include <sinter/error.hpp>

#include "support/check.hpp"
#include "support/log.hpp"
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

/// With SINTER_LOG=debug: a line for the call, with its time.
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

/// f() in the default floating-point environment, whatever the caller's is. Where memory is too short for what the library
/// itself needs, and nobody nearer has said so, the error names the call. Errors that know no line of the user's get this.
template <class F>
auto enter(std::string_view what, location where, F f) {
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
