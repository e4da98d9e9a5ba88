// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/codegen/link.hpp"

#include "jit/codegen/target_machines.hpp"
#include "jit/emit/llvm/compat.hpp"
#include "jit/emit/llvm/llvm_use.hpp"
#include "support/check.hpp"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/MemoryBuffer.h>

namespace sinter::codegen {

namespace orc = llvm::orc;

namespace {

class Emulated final : public Image {
  public:
    Emulated(const std::string& object, const std::vector<std::pair<const char*, void*>>& functions)
        : jit_(require(orc::LLJITBuilder().setPlatformSetUp(orc::setUpInactivePlatform).create())) {
        orc::SymbolMap symbols;
        for (const auto& [name, address] : functions) symbols[jit_->mangleAndIntern(name)] = compat::exported(address);
        require(jit_->getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))));
        require(jit_->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(object)));
    }

    void* find(const char* name) const override { return require(jit_->lookup(name)).toPtr<void*>(); }

  private:
    std::unique_ptr<orc::LLJIT> jit_;
};

}  // namespace

std::unique_ptr<Image> link_emulated(const std::string& object,
                                     const std::vector<std::pair<const char*, void*>>& functions) {
    need_executable_pages();
    const emit::LlvmUse use(object.size() * 8 + (std::size_t{16} << 20));
    initialise_llvm();
    return std::make_unique<Emulated>(object, functions);
}

}  // namespace sinter::codegen
