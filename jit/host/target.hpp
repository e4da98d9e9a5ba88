// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The machine code is generated for.
#pragma once

#include "schedule/machine.hpp"

#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sinter::host {

/// This machine, with vectors of at most `vector_bits` (0: as wide as it has). Thread-safe.
class Target {
  public:
    explicit Target(int vector_bits);

    const schedule::Machine& machine() const { return machine_; }
    /// Processor, features, vector width and versions: all that decides the code for a kernel.
    const std::string& identity() const { return identity_; }
    std::vector<std::pair<std::string, std::string>> description() const;

    /// A target machine for one compilation at a time. The first one starts LLVM's code generator.
    std::unique_ptr<llvm::TargetMachine> acquire() const;
    void release(std::unique_ptr<llvm::TargetMachine> machine) const;

  private:
    std::unique_ptr<llvm::TargetMachine> make() const;

    schedule::Machine machine_;
    std::string triple_, processor_, features_, identity_;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<llvm::TargetMachine>> idle_;
};

}  // namespace sinter::host
