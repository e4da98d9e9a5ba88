// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What holds for every call of the library that computes something.
#pragma once

#include <sinter/error.hpp>

#include "support/check.hpp"
#include "support/float_environment.hpp"

#include <fmt/format.h>

#include <new>
#include <stdexcept>
#include <string_view>

namespace sinter::runtime {

[[noreturn]] inline void throw_short_of_memory(std::string_view what, location where) {
    throw MemoryError(fmt::format("{}: not enough memory", what), where);
}

/// f() in the default floating-point environment, whatever the caller's is. Where memory is too short for what the library
/// itself needs, and nobody nearer has said so, the error names the call. Errors that know no line of the user's get this.
template <class F>
auto enter(std::string_view what, location where, F f) {
    const DefaultFloatEnvironment floats;
    try {
        return with_place(where, f);
    } catch (const std::bad_alloc&) {
        throw_short_of_memory(what, where);
    } catch (const std::length_error&) {
        throw_short_of_memory(what, where);
    }
}

}  // namespace sinter::runtime
