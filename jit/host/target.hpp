// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The machine for which code is generated.
#pragma once

#include "jit/generator/generator.hpp"
#include "schedule/machine.hpp"
#include "support/arch/processor.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sinter::host {

/// What decides the code for a processor, with vectors of at most `vector_bits` (0: as wide as it has).
schedule::Machine machine_of(const arch::Processor& processor, int vector_bits);

/// This machine, with vectors of at most `vector_bits` (0: as wide as it has), and the effort for all code for it.
/// Thread-safe.
class Target {
  public:
    Target(int vector_bits, std::optional<codegen::Effort> effort);

    const schedule::Machine& machine() const { return machine_; }
    /// Processor, vector width and versions: everything that decides the code for a kernel.
    const std::string& identity() const { return identity_; }
    /// Nothing: it is quick at first, and better later.
    std::optional<codegen::Effort> effort() const { return effort_; }
    std::vector<std::pair<std::string, std::string>> description() const;

  private:
    const std::optional<codegen::Effort> effort_;
    schedule::Machine machine_;
    std::string identity_;
};

}  // namespace sinter::host
