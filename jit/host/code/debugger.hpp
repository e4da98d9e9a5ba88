// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SINTER_DEBUGGER=gdb: tells GDB about code that is linked while the program runs ("Debugging with GDB", JIT Compilation
/// Interface).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sinter::host {

/// What a debugger has been told; the announcement is withdrawn at the end.
class Announced {
  public:
    virtual ~Announced() = default;
};

/// Tells a debugger that the sections of this object are in memory at these addresses; 0 means not loaded. Null if no
/// debugger is wanted.
std::unique_ptr<Announced> announce_to_debugger(const std::string& object, const std::vector<std::uint64_t>& addresses);

}  // namespace sinter::host
