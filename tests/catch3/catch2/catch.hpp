// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Catch2 3, which newer systems have, under the names that it has in release 2, with which the tests are written.
#pragma once

#include <catch2/catch_all.hpp>

// Headers that release 2 includes, too.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <string>

using Catch::Approx;

namespace Catch {

/// In release 3 this is the name of a matcher of ranges.
inline Matchers::StringContainsMatcher Contains(const std::string& text) { return Matchers::ContainsSubstring(text); }

}  // namespace Catch
