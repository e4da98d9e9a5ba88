// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/emulator/emulator_load.hpp"

#include "jit/emit/llvm/compat.hpp"
#include "support/check.hpp"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/MemoryBuffer.h>

#include <utility>

namespace sinter::gpu {

namespace orc = llvm::orc;

namespace {

void require(llvm::Error error) {
    if (error) fail_check("linking an emulated kernel: " + llvm::toString(std::move(error)), location::current());
}

template <class T>
T require(llvm::Expected<T> value) {
    if (!value) require(value.takeError());
    return std::move(*value);
}

class Loaded final : public EmulatorCode {
  public:
    Loaded(llvm::ArrayRef<char> object, const std::vector<std::pair<const char*, void*>>& functions)
        : jit_(require(orc::LLJITBuilder().setPlatformSetUp(orc::setUpInactivePlatform).create())) {
        orc::SymbolMap symbols;
        for (const auto& [name, address] : functions) symbols[jit_->mangleAndIntern(name)] = compat::exported(address);
        require(jit_->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))));
        require(jit_->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy({object.data(), object.size()})));
    }

    void* find(const std::string& function) const override { return require(jit_->lookup(function)).toPtr<void*>(); }

  private:
    std::unique_ptr<orc::LLJIT> jit_;
};

}  // namespace

std::unique_ptr<EmulatorCode> load_object(llvm::ArrayRef<char> object,
                                          const std::vector<std::pair<const char*, void*>>& functions) {
    return std::make_unique<Loaded>(object, functions);
}

}  // namespace sinter::gpu
