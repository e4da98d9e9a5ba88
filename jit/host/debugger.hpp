// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SINTER_DEBUGGER=gdb: code that is linked while the program runs, for GDB. ("Debugging with GDB", JIT Compilation
/// Interface.)
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sinter::host {

/// What a debugger has been told; it is told the opposite at the end.
class Announced {
  public:
    virtual ~Announced() = default;
};

/// Tells a debugger that the sections of this object are in memory at these addresses; 0: not loaded. Null where no debugger
/// is wanted.
std::unique_ptr<Announced> announce_to_debugger(const std::string& object, const std::vector<std::uint64_t>& addresses);

}  // namespace sinter::host
