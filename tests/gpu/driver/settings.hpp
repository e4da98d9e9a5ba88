// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the environment says of the test driver, and what happens to a program that breaks a rule.
#pragma once

#include <cstdint>
#include <string>

namespace driver {

/// Says on stderr which rule was broken and ends the process: no test may catch it and go on.
[[noreturn]] void violation(const std::string& rule);

/// SINTER_TEST_DRIVER_SEED decides every choice the driver has: which warp runs, when stores become visible, ...
class Random {
  public:
    std::uint32_t next();
    /// 0 <= result < bound
    std::uint32_t below(std::uint32_t bound) { return next() % bound; }
    bool one_in(std::uint32_t n) { return below(n) == 0; }

  private:
    std::uint64_t state_ = 0;
};
Random& chance();

/// SINTER_TEST_DRIVER_DEVICES: how many cards there are; 1 if it is not set.
int device_count();

/// SINTER_TEST_DRIVER_FAIL=function:n[:error]: the error of this call of the function, 0 if it is to work. Calls are counted
/// from when the setting was made.
int failure_of(const char* function);

/// SINTER_TEST_DRIVER_DROP=n: whether the n-th synchronising instruction of the process's code, counted from 0 as modules
/// are loaded, is to be left out. Counts this one; where SINTER_TEST_DRIVER_LIST names a file, a line there describes it.
bool is_dropped(const std::string& description);

}  // namespace driver
