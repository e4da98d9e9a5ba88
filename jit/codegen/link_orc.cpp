// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links objects into the process with ORC: there is one session, and one dynamic library per object, which is removed with
// it.
#include "jit/codegen/link.hpp"

#include "jit/codegen/target_machines.hpp"
#include "jit/emit/llvm/compat.hpp"
#include "jit/emit/llvm/llvm_use.hpp"
#include "support/check.hpp"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/MemoryBuffer.h>

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <new>
#include <string>
#include <type_traits>

namespace sinter::codegen {

namespace orc = llvm::orc;

namespace {

/// The session of the process. Never destroyed: kernels may live until the process ends.
orc::LLJIT& session() {
    static orc::LLJIT* jit = [] {
        orc::JITTargetMachineBuilder machine = require(orc::JITTargetMachineBuilder::detectHost());
        return require(orc::LLJITBuilder()
                           .setJITTargetMachineBuilder(std::move(machine))
                           .setPlatformSetUp(orc::setUpInactivePlatform)
                           .create())
            .release();
    }();
    return *jit;
}

/// Whether a page that has been written may become executable.
bool pages_become_executable() {
    const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* page = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) throw std::bad_alloc();
    const bool allowed = mprotect(page, bytes, PROT_READ | PROT_EXEC) == 0;
    munmap(page, bytes);
    return allowed;
}

std::string next_name() {
    static std::atomic<std::uint64_t> count{0};
    return "kernel" + std::to_string(count.fetch_add(1));
}

class OrcImage : public Image {
  public:
    explicit OrcImage(const std::string& object) : library_(require(session().createJITDylib(next_name()))) {
        require(session().addObjectFile(library_, llvm::MemoryBuffer::getMemBufferCopy(object, library_.getName())));
    }
    ~OrcImage() override { llvm::consumeError(session().getExecutionSession().removeJITDylib(library_)); }

    void* find(const char* name) const override {
        orc::SymbolLookupSet wanted(session().mangleAndIntern(name), orc::SymbolLookupFlags::WeaklyReferencedSymbol);
        const orc::SymbolMap found =
            require(session().getExecutionSession().lookup(orc::makeJITDylibSearchOrder(&library_), std::move(wanted)));
        return found.empty() ? nullptr : compat::address_of(found.begin()->second);
    }

  private:
    orc::JITDylib& library_;
};

}  // namespace

void need_executable_pages() {
    if (!pages_become_executable())
        throw Limitation(
            "this process may not make memory executable that it has written (prctl(PR_SET_MDWE)), which this code needs: "
            "run on Target::interpreter(), or set SINTER_TARGET=interpreter",
            location());
}

std::unique_ptr<Image> link_with_orc(const std::string& object) {
    need_executable_pages();
    const emit::LlvmUse use(object.size() * 8 + (std::size_t{16} << 20));
    initialise_llvm();
    return std::make_unique<OrcImage>(object);
}

}  // namespace sinter::codegen
