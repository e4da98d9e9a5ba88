// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linking an object into the process. Code and constants of one kernel lie in one mapping, unmapped with the kernel.
#include "jit/host/code_object.hpp"

#include "support/check.hpp"

#include <llvm/ExecutionEngine/RuntimeDyld.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/Memory.h>

#include <dlfcn.h>

namespace sinter::host {

namespace {

std::uintptr_t align_up(std::uintptr_t value, std::uintptr_t alignment) { return (value + alignment - 1) / alignment * alignment; }

/// Functions of the C library that generated code may call.
class Symbols : public llvm::LegacyJITSymbolResolver {
  public:
    llvm::JITSymbol findSymbol(const std::string& name) override {
        if (void* address = dlsym(RTLD_DEFAULT, name.c_str()))
            return {reinterpret_cast<std::uintptr_t>(address), llvm::JITSymbolFlags::Exported};
        return nullptr;
    }
    llvm::JITSymbol findSymbolInLogicalDylib(const std::string&) override { return nullptr; }
};

}  // namespace

/// One mapping, filled with writable sections and then made executable: constants too, which costs nothing.
class LoadedObject::Memory : public llvm::RuntimeDyld::MemoryManager {
  public:
    ~Memory() override { llvm::sys::Memory::releaseMappedMemory(block_); }

    bool needsToReserveAllocationSpace() override { return true; }
    void reserveAllocationSpace(std::uintptr_t code, llvm::Align, std::uintptr_t constants, llvm::Align, std::uintptr_t data,
                                llvm::Align) override {
        std::error_code error;
        constexpr unsigned writable = llvm::sys::Memory::MF_READ | llvm::sys::Memory::MF_WRITE;
        block_ = llvm::sys::Memory::allocateMappedMemory(code + constants + data + 4 * alignment, nullptr, writable, error);
        if (error) throw MemoryError("no memory for generated code", location::current());
        next_ = reinterpret_cast<std::uintptr_t>(block_.base());
    }
    std::uint8_t* allocateCodeSection(std::uintptr_t size, unsigned align, unsigned, llvm::StringRef) override {
        return take(size, align);
    }
    std::uint8_t* allocateDataSection(std::uintptr_t size, unsigned align, unsigned, llvm::StringRef, bool) override {
        return take(size, align);
    }
    void registerEHFrames(std::uint8_t*, std::uint64_t, std::size_t) override {}
    void deregisterEHFrames() override {}
    bool finalizeMemory(std::string*) override {
        constexpr unsigned executable = llvm::sys::Memory::MF_READ | llvm::sys::Memory::MF_EXEC;
        return static_cast<bool>(llvm::sys::Memory::protectMappedMemory(block_, executable));
    }

  private:
    static constexpr std::uintptr_t alignment = 64;

    std::uint8_t* take(std::uintptr_t size, unsigned align) {
        const std::uintptr_t at = align_up(next_, std::max<std::uintptr_t>(align, alignment));
        next_ = at + size;
        check(next_ <= reinterpret_cast<std::uintptr_t>(block_.base()) + block_.allocatedSize(), "sections fit their mapping");
        return reinterpret_cast<std::uint8_t*>(at);
    }

    llvm::sys::MemoryBlock block_;
    std::uintptr_t next_ = 0;
};

LoadedObject::LoadedObject(llvm::ArrayRef<char> object) : memory_(std::make_unique<Memory>()) {
    const llvm::MemoryBufferRef buffer(llvm::StringRef(object.data(), object.size()), "kernel");
    auto file = llvm::object::ObjectFile::createObjectFile(buffer);
    if (!file) fail_check("object file: " + llvm::toString(file.takeError()), location::current());
    Symbols symbols;
    llvm::RuntimeDyld linker(*memory_, symbols);
    linker.loadObject(**file);
    linker.resolveRelocations();
    if (linker.hasError()) fail_check("linking a kernel: " + linker.getErrorString().str(), location::current());
    check(!memory_->finalizeMemory(nullptr), "generated code can be made executable");
    auto entry = [&](const char* name) { return reinterpret_cast<emit::Entry>(linker.getSymbol(name).getAddress()); };
    kernel_ = entry(emit::kernel_name);
    finish_ = entry(emit::finish_name);
}

LoadedObject::~LoadedObject() = default;

}  // namespace sinter::host
