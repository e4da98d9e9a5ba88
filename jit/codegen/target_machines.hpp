// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// LLVM's machines for the host.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sinter::codegen {

/// Makes LLVM know how to generate code for the host. Whatever needs that calls it first.
void initialise_llvm();

/// The host as LLVM knows it.
struct Host {
    std::string triple, processor, features;

    /// `wide`: with registers of 512 bits, which may be compiled for where they are not there.
    explicit Host(bool wide);
    std::unique_ptr<llvm::TargetMachine> machine(bool is_quick) const;
};

/// Machines that are kept for the next compilation. Thread-safe.
class TargetMachines {
  public:
    explicit TargetMachines(bool wide) : host_(wide) {}

    /// For one compilation at a time. The first one starts LLVM's code generator.
    std::unique_ptr<llvm::TargetMachine> acquire();
    void release(std::unique_ptr<llvm::TargetMachine> machine);

  private:
    const Host host_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<llvm::TargetMachine>> idle_;
};

/// Those for vectors of this width. Never destroyed.
TargetMachines& target_machines(int vector_bits);

/// Triple and data layout of the machine.
void prepare_for(llvm::Module& module, const llvm::TargetMachine& machine);

}  // namespace sinter::codegen
