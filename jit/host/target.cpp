// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/target.hpp"

#include "jit/emit/llvm/compat.hpp"
#include "support/check.hpp"

#include <fmt/format.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>

namespace sinter::host {

namespace {

/// Changes whenever the generated code may.
constexpr int generator_version = 22;

void initialise_llvm() {
    static const bool done = [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
        return true;
    }();
    (void)done;
}

bool is_512(const llvm::StringMap<bool>& features) {
    return features.lookup("avx512f") && features.lookup("avx512bw") && features.lookup("avx512dq") &&
           features.lookup("avx512vl");
}

schedule::Machine describe(const llvm::Triple& triple, llvm::StringRef processor, const llvm::StringMap<bool>& features,
                           int limit) {
    schedule::Machine m;
    m.x86 = triple.isX86();
    m.fma = !m.x86 || features.lookup("fma");
    const int widest = !m.x86 ? 128 : is_512(features) || limit == 512 ? 512 : features.lookup("avx2") ? 256 : 128;
    m.vector_bits = limit == 0 ? widest : std::min(limit, widest);
    m.mask_registers = m.vector_bits == 512;
    m.masked_narrow = m.mask_registers;
    m.compress_narrow = m.mask_registers && features.lookup("avx512vbmi2");
    m.gather = m.mask_registers && !processor.starts_with("znver");  // theirs take as long as the loads, and more
    m.masked_memory = m.x86 && m.vector_bits >= 256;
    m.nontemporal = m.x86;
    m.registers = m.mask_registers || !m.x86 ? 32 : 16;
    return m;
}

}  // namespace

Target::Target(int vector_bits) : triple_(llvm::sys::getProcessTriple()), processor_(llvm::sys::getHostCPUName()) {
    llvm::StringMap<bool> features = compat::host_features();
    if (vector_bits == 512)  // may be compiled for where it cannot be run
        for (const char* f : {"avx512f", "avx512bw", "avx512dq", "avx512vl"}) features[f] = true;
    if (vector_bits == 512 && compat::has_evex512) features["evex512"] = true;
    machine_ = describe(llvm::Triple(triple_), processor_, features, vector_bits);
    std::vector<std::string> list;
    for (const auto& feature : features) list.push_back((feature.second ? "+" : "-") + feature.first().str());
    std::sort(list.begin(), list.end());
    features_ = fmt::format("{}", fmt::join(list, ","));
    identity_ = fmt::format("host {} {} {} vectors {} llvm {} generator {}", triple_, processor_, features_,
                            machine_.vector_bits, LLVM_VERSION_STRING, generator_version);
}

std::vector<std::pair<std::string, std::string>> Target::description() const {
    std::string has;
    for (std::size_t at = features_.find('+'); at != std::string::npos; at = features_.find('+', at + 1))
        has += (has.empty() ? "" : " ") + features_.substr(at + 1, features_.find(',', at) - at - 1);
    return {{"LLVM", LLVM_VERSION_STRING},
            {"processor", processor_ + ", " + triple_},
            {"features", has},
            {"vectors", fmt::format("{} bits", machine_.vector_bits)}};
}

std::unique_ptr<llvm::TargetMachine> Target::make() const {
    initialise_llvm();
    std::string error;
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple_, error);
    check(target != nullptr, "LLVM has no target for this machine");
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
    options.TrapUnreachable = false;
    return compat::create_machine(*target, llvm::Triple(triple_), processor_, features_, options, llvm::Reloc::PIC_,
                                  llvm::CodeModel::Small, compat::default_level, true);
}

std::unique_ptr<llvm::TargetMachine> Target::acquire() const {
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            auto result = std::move(idle_.back());
            idle_.pop_back();
            return result;
        }
    }
    return make();
}

void Target::release(std::unique_ptr<llvm::TargetMachine> machine) const {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(machine));
}

}  // namespace sinter::host
