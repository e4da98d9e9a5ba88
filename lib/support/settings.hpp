// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// All environment variables that the library reads; docs/reference/environment.md says what they do.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinter {

/// The value of SINTER_...; empty if it is not set, and in programs that run with more rights than their caller. `name` has
/// to be in the table of settings.cpp.
std::string_view setting(std::string_view name);

/// A message for people: the setting has a value without a meaning.
std::string means_nothing(std::string_view name, std::string_view value);

/// A message for people about the environment: a variable SINTER_... that does not exist, or a value without a meaning;
/// nothing if all is well.
std::optional<std::string> bad_setting();

}  // namespace sinter
