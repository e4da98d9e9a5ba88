// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The machine for which code is generated.
#pragma once

#include "schedule/machine.hpp"
#include "support/arch/processor.hpp"

#include <string>
#include <utility>
#include <vector>

namespace sinter::host {

/// What decides the code for a processor, with vectors of at most `vector_bits` (0: as wide as it has).
schedule::Machine machine_of(const arch::Processor& processor, int vector_bits);

/// This machine, with vectors of at most `vector_bits` (0: as wide as it has). Thread-safe.
class Target {
  public:
    explicit Target(int vector_bits);

    const schedule::Machine& machine() const { return machine_; }
    /// Processor, vector width and versions: everything that decides the code for a kernel.
    const std::string& identity() const { return identity_; }
    std::vector<std::pair<std::string, std::string>> description() const;

  private:
    schedule::Machine machine_;
    std::string identity_;
};

}  // namespace sinter::host
