// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The environment variables that the library reads, all of them; docs/reference/environment.md says what they do.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinter {

/// The value of SINTER_...; empty if it is not set, and in programs that run with more rights than their caller's. `name`
/// must be one of the table in settings.cpp.
std::string_view setting(std::string_view name);

/// That a setting has a value that it cannot have, for people.
std::string means_nothing(std::string_view name, std::string_view value);

/// What is wrong with the environment, for people: a variable SINTER_... that there is not, or a value that means nothing.
std::optional<std::string> bad_setting();

}  // namespace sinter
