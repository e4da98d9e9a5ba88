// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LLVM's target machines for the host.
#pragma once

#include "jit/generator/generator.hpp"

#include <llvm/IR/Module.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sinter::codegen {

/// Lets LLVM know how to generate code for the host. To be called first by everything that needs that.
void initialise_llvm();

/// The host as LLVM knows it.
struct Host {
    std::string triple, processor, features;

    /// `wide`: with registers of 512 bits; it is possible to compile for them where they do not exist.
    explicit Host(bool wide);
    std::unique_ptr<llvm::TargetMachine> machine(Effort effort) const;
};

/// Machines that are kept for the next compilation. Thread-safe.
class TargetMachines {
  public:
    TargetMachines(bool wide, Effort effort) : host_(wide), effort_(effort) {}

    /// A machine for one compilation at a time. The first call starts LLVM's code generator.
    std::unique_ptr<llvm::TargetMachine> acquire();
    void release(std::unique_ptr<llvm::TargetMachine> machine);

  private:
    const Host host_;
    const Effort effort_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<llvm::TargetMachine>> idle_;
};

/// The machines for vectors of this width. Never destroyed.
TargetMachines& target_machines(int vector_bits, Effort effort);

/// Sets the triple and the data layout of the machine.
void prepare_for(llvm::Module& module, const llvm::TargetMachine& machine);

}  // namespace sinter::codegen
