// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/emit/llvm/llvm_use.hpp"

#include "jit/emit/llvm/llvm_tables.hpp"

#include <llvm/Support/ErrorHandling.h>

#include <sys/mman.h>

#include <atomic>
#include <new>

namespace sinter::emit {

namespace {

std::atomic<bool> ended{false};

/// LLVM's global objects are destroyed after ours, which were made after them; or they are never destroyed.
struct End {
    ~End() {
        if (!all_llvm_tables_stay()) while_alone([] { ended = true; });
    }
};
const End end;

void try_memory(std::size_t bytes) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    munmap(memory, bytes);
}

/// To be called before the first use.
void prepare() {
    static const bool kept = [] {
        llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { throw std::bad_alloc(); });
        return keep_llvm_tables();
    }();
    static_cast<void>(kept);
}

}  // namespace

CompilerEnded::CompilerEnded() : Limitation("no code is generated any more: the process is ending", location()) {}

LlvmUse::LlvmUse(std::size_t bytes) {
    if (ended) throw CompilerEnded();
    try_memory(bytes);
    prepare();
}

}  // namespace sinter::emit
