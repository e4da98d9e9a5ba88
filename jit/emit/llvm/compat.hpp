// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Everything that the supported releases of LLVM (cmake/SinterLlvm.cmake) write in different ways. The interface here
/// follows the newest one.
#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/ExecutionEngine/JITSymbol.h>
#include <llvm/IR/AutoUpgrade.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/OptBisect.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Pass.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#if LLVM_VERSION_MAJOR >= 17
#include <llvm/ExecutionEngine/Orc/Shared/ExecutorSymbolDef.h>
#endif

#include <memory>
#include <string>
#include <utility>

namespace sinter::compat {

// ---- 18: scoped enumerations ----

#if LLVM_VERSION_MAJOR >= 18
inline constexpr auto object_file = llvm::CodeGenFileType::ObjectFile;
inline constexpr auto assembly_file = llvm::CodeGenFileType::AssemblyFile;
inline constexpr auto default_level = llvm::CodeGenOptLevel::Default;
inline constexpr auto no_level = llvm::CodeGenOptLevel::None;
#else
inline constexpr auto object_file = llvm::CGFT_ObjectFile;
inline constexpr auto assembly_file = llvm::CGFT_AssemblyFile;
inline constexpr auto default_level = llvm::CodeGenOpt::Default;
inline constexpr auto no_level = llvm::CodeGenOpt::None;
#endif

// ---- 19: the features of the host are returned; a function knows its data layout ----

inline llvm::StringMap<bool> host_features() {
#if LLVM_VERSION_MAJOR >= 19
    return llvm::sys::getHostCPUFeatures();
#else
    llvm::StringMap<bool> features;
    llvm::sys::getHostCPUFeatures(features);
    return features;
#endif
}

inline const llvm::DataLayout& layout_of(const llvm::Function& function) { return function.getParent()->getDataLayout(); }

/// True if llvm.maximum and llvm.minimum are instructions for every type and target for which Sinter generates code.
inline constexpr bool has_maximum = LLVM_VERSION_MAJOR >= 19;

/// For AVX-512: from release 18 on, a separate feature says if there are registers of 512 bits.
inline constexpr bool has_evex512 = LLVM_VERSION_MAJOR >= 18;

// ---- 17: symbols of ORC have executor addresses ----

#if LLVM_VERSION_MAJOR >= 17
using Symbol = llvm::orc::ExecutorSymbolDef;
inline Symbol exported(void* address) { return {llvm::orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported}; }
inline void* address_of(const Symbol& symbol) { return symbol.getAddress().toPtr<void*>(); }
#else
using Symbol = llvm::JITEvaluatedSymbol;
inline Symbol exported(void* address) { return {llvm::pointerToJITTargetAddress(address), llvm::JITSymbolFlags::Exported}; }
inline void* address_of(const Symbol& symbol) { return llvm::jitTargetAddressToPointer<void*>(symbol.getAddress()); }
#endif

// ---- 20: a constant member decides which passes run; every target machine generates code ----

/// Decides which passes run.
class PassGate : public llvm::OptPassGate {
  public:
    bool isEnabled() const final { return true; }
    virtual bool runs(llvm::StringRef pass) const = 0;

  private:
#if LLVM_VERSION_MAJOR >= 20
    bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) const final { return runs(pass); }
#else
    bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) final { return runs(pass); }
#endif
};

#if LLVM_VERSION_MAJOR >= 20
using CodeGenTargetMachine = llvm::TargetMachine;
#else
using CodeGenTargetMachine = llvm::LLVMTargetMachine;
#endif

// ---- 21: triples have a type of their own; the legacy pass manager's passes and some intrinsics have other names ----

inline void set_triple(llvm::Module& module, const llvm::Triple& triple) {
#if LLVM_VERSION_MAJOR >= 21
    module.setTargetTriple(triple);
#else
    module.setTargetTriple(triple.str());
#endif
}

template <class... Args>
std::unique_ptr<llvm::TargetMachine> create_machine(const llvm::Target& target, const llvm::Triple& triple, Args&&... args) {
#if LLVM_VERSION_MAJOR >= 21
    return std::unique_ptr<llvm::TargetMachine>(target.createTargetMachine(triple, std::forward<Args>(args)...));
#else
    return std::unique_ptr<llvm::TargetMachine>(target.createTargetMachine(triple.str(), std::forward<Args>(args)...));
#endif
}

#if LLVM_VERSION_MAJOR >= 21
inline char& machine_cse() { return llvm::MachineCSELegacyID; }
inline char& machine_sinking() { return llvm::MachineSinkingLegacyID; }
#else
inline char& machine_cse() { return llvm::MachineCSEID; }
inline char& machine_sinking() { return llvm::MachineSinkingID; }
#endif

/// A call of an intrinsic that has only one type.
template <class Builder>
llvm::CallInst* call(Builder& ir, llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value*> arguments = {}) {
    return ir.CreateIntrinsic(id, llvm::ArrayRef<llvm::Type*>(), arguments);
}

/// The newest version of PTX, times ten, among those that Sinter may choose, that the release can write.
inline constexpr int newest_ptx = LLVM_VERSION_MAJOR >= 19   ? 85
                                  : LLVM_VERSION_MAJOR == 18 ? 83
                                  : LLVM_VERSION_MAJOR == 17 ? 81
                                                             : 78;

/// A barrier for all threads of a block.
template <class Builder>
llvm::CallInst* block_barrier(Builder& ir) {
#if LLVM_VERSION_MAJOR >= 21
    return call(ir, llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all, {ir.getInt32(0)});
#else
    return call(ir, llvm::Intrinsic::nvvm_barrier0);
#endif
}

/// Turns annotations of kernels (nvvm.annotations) into attributes if code generators look for those.
inline void upgrade_annotations([[maybe_unused]] llvm::Module& module) {
#if LLVM_VERSION_MAJOR >= 21
    llvm::UpgradeNVVMAnnotations(module);
#endif
}

}  // namespace sinter::compat
