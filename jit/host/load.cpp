// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linking objects into the process with ORC: one session for all, one dynamic library a kernel, removed with the kernel.
#include "jit/host/code_object.hpp"

#include "support/check.hpp"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/MemoryBuffer.h>

#include <atomic>
#include <string>
#include <type_traits>

namespace sinter::host {

namespace orc = llvm::orc;

namespace {

void require(llvm::Error error) {
    if (error) fail_check("linking a kernel: " + llvm::toString(std::move(error)), location::current());
}

template <class T>
T require(llvm::Expected<T> value) {
    if (!value) require(value.takeError());
    if constexpr (std::is_reference_v<T>)
        return *value;
    else
        return std::move(*value);
}

/// The process's session. Never destroyed: kernels may live until the process ends.
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

std::string next_name() {
    static std::atomic<std::uint64_t> count{0};
    return "kernel" + std::to_string(count.fetch_add(1));
}

}  // namespace

LoadedObject::LoadedObject(llvm::ArrayRef<char> object) {
    orc::LLJIT& jit = session();
    library_ = &require(jit.createJITDylib(next_name()));
    const llvm::StringRef bytes(object.data(), object.size());
    require(jit.addObjectFile(*library_, llvm::MemoryBuffer::getMemBufferCopy(bytes, library_->getName())));
    orc::SymbolLookupSet wanted;
    wanted.add(jit.mangleAndIntern(emit::kernel_name));
    for (const char* optional : {emit::finish_name, emit::chain_name})
        wanted.add(jit.mangleAndIntern(optional), orc::SymbolLookupFlags::WeaklyReferencedSymbol);
    const orc::SymbolMap found =
        require(jit.getExecutionSession().lookup(orc::makeJITDylibSearchOrder(library_), std::move(wanted)));
    for (const auto& [name, symbol] : found) {
        emit::Entry& entry = *name == emit::kernel_name ? kernel_ : *name == emit::finish_name ? finish_ : chain_;
        entry = symbol.getAddress().toPtr<emit::Entry>();
    }
}

LoadedObject::~LoadedObject() { llvm::consumeError(session().getExecutionSession().removeJITDylib(*library_)); }

}  // namespace sinter::host
