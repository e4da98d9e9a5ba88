// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/codegen/target_machines.hpp"

#include "jit/emit/arch/instructions.hpp"
#include "jit/emit/llvm/compat.hpp"
#include "support/check.hpp"

#include <fmt/format.h>
#include <llvm/Support/TargetSelect.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sinter::codegen {

namespace {

std::string features_of_host(bool wide) {
    llvm::StringMap<bool> features = compat::host_features();
    if (wide)
        for (llvm::StringRef feature : emit::mask_register_features()) features[feature] = true;
    std::vector<std::string> list;
    for (const auto& feature : features) list.push_back((feature.second ? "+" : "-") + feature.first().str());
    std::sort(list.begin(), list.end());
    return fmt::format("{}", fmt::join(list, ","));
}

}  // namespace

void initialise_llvm() {
    static const bool done = [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
        return true;
    }();
    (void)done;
}

Host::Host(bool wide)
    : triple(llvm::sys::getProcessTriple()), processor(llvm::sys::getHostCPUName()), features(features_of_host(wide)) {}

std::unique_ptr<llvm::TargetMachine> Host::machine(Effort effort) const {
    initialise_llvm();
    std::string error;
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
    check(target != nullptr, "LLVM has no target for this machine");
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
    options.TrapUnreachable = false;
    return compat::create_machine(*target, llvm::Triple(triple), processor, features, options, llvm::Reloc::PIC_,
                                  llvm::CodeModel::Small, effort == Effort::quick ? compat::no_level : compat::default_level,
                                  true);
}

std::unique_ptr<llvm::TargetMachine> TargetMachines::acquire() {
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            auto result = std::move(idle_.back());
            idle_.pop_back();
            return result;
        }
    }
    return host_.machine(effort_);
}

void TargetMachines::release(std::unique_ptr<llvm::TargetMachine> machine) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(machine));
}

TargetMachines& target_machines(int vector_bits, Effort effort) {
    static auto& all = *new std::array<TargetMachines, 4>{
        {{false, Effort::quick}, {false, Effort::full}, {true, Effort::quick}, {true, Effort::full}}};
    return all[(vector_bits < 512 ? 0 : 2) + (effort == Effort::quick ? 0 : 1)];
}

void prepare_for(llvm::Module& module, const llvm::TargetMachine& machine) {
    compat::set_triple(module, machine.getTargetTriple());
    module.setDataLayout(machine.createDataLayout());
}

}  // namespace sinter::codegen
