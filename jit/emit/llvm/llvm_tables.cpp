// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A static object registers its destructor with __cxa_atexit. The library that contains LLVM calls that function through an
// entry of its global offset table; here, the entry is replaced by another function, which registers nothing. (System V
// Application Binary Interface, chapter 5, dynamic linking; Itanium C++ ABI, section 3.3.6.3.)
//
// This has to be done before LLVM is initialised. When a library is loaded, the dynamic linker first relocates everything
// that it needs, and then the library itself; in doing so it calls the resolvers of its indirect functions; then it
// initialises everything in that order. So a resolver comes in time. (GNU C Library, elf/dl-open.c. Sanitizers do not
// support code that runs so early.)
//
// If LLVM is part of our own library, so is a __cxa_atexit that registers nothing.
#include "jit/emit/llvm/llvm_tables.hpp"

#include "support/arch/relocation.hpp"

#include <llvm/Support/ErrorHandling.h>

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <utility>

#if defined(SINTER_STATIC_LLVM)

extern "C" int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }

namespace sinter::emit {

bool keep_llvm_tables() { return true; }

bool all_llvm_tables_stay() { return true; }

}  // namespace sinter::emit

#else

namespace sinter::emit {

namespace {

#if !defined(__has_feature)
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer) || \
    __has_feature(thread_sanitizer)
#define SINTER_HAS_RESOLVER 0
#else
#define SINTER_HAS_RESOLVER 1
#endif

int register_nothing(void (*)(void*), void*, void*) { return 0; }

/// The tables of a loaded library for the dynamic linker.
struct Library {
    ElfW(Addr) base = 0;
    const ElfW(Sym) * symbols = nullptr;
    const char* names = nullptr;
    const ElfW(Rela) * calls = nullptr, *others = nullptr;
    std::size_t calls_bytes = 0, others_bytes = 0;

    explicit Library(const dl_phdr_info& module) : base(module.dlpi_addr) {
        for (int k = 0; k < module.dlpi_phnum; ++k)
            if (module.dlpi_phdr[k].p_type == PT_DYNAMIC)
                read(reinterpret_cast<const ElfW(Dyn)*>(base + module.dlpi_phdr[k].p_vaddr));
    }

    bool replace(const char* name, void* function) const {
        return replace(calls, calls_bytes, name, function) + replace(others, others_bytes, name, function) > 0;
    }

  private:
    void read(const ElfW(Dyn) * entry) {
        for (; entry->d_tag != DT_NULL; ++entry) {
            const auto* table = reinterpret_cast<const void*>(entry->d_un.d_ptr);
            if (entry->d_tag == DT_SYMTAB) symbols = static_cast<const ElfW(Sym)*>(table);
            if (entry->d_tag == DT_STRTAB) names = static_cast<const char*>(table);
            if (entry->d_tag == DT_JMPREL) calls = static_cast<const ElfW(Rela)*>(table);
            if (entry->d_tag == DT_RELA) others = static_cast<const ElfW(Rela)*>(table);
            if (entry->d_tag == DT_PLTRELSZ) calls_bytes = entry->d_un.d_val;
            if (entry->d_tag == DT_RELASZ) others_bytes = entry->d_un.d_val;
        }
    }

    /// Returns the number of entries replaced.
    int replace(const ElfW(Rela) * entries, std::size_t bytes, const char* name, void* function) const {
        int count = 0;
        for (std::size_t k = 0; entries && k < bytes / sizeof *entries; ++k) {
            const auto type = ELF64_R_TYPE(entries[k].r_info);
            if (type != arch::jump_slot && type != arch::global_data) continue;
            if (std::strcmp(names + symbols[ELF64_R_SYM(entries[k].r_info)].st_name, name) != 0) continue;
            count += write(reinterpret_cast<void**>(base + entries[k].r_offset), function);
        }
        return count;
    }

    /// The page may have been made read-only after everything was bound; then it is made so again afterwards.
    static bool write(void** entry, void* function) {
        const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
        auto* begin = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(entry) & ~(page - 1));
        const bool fixed = is_read_only(entry);
        if (fixed && mprotect(begin, page, PROT_READ | PROT_WRITE) != 0) return false;
        __atomic_store_n(entry, function, __ATOMIC_RELEASE);
        if (fixed) mprotect(begin, page, PROT_READ);
        return true;
    }

    static bool is_read_only(void** entry) {
        bool result = false;
        auto look = [](dl_phdr_info* module, std::size_t, void* data) {
            auto& [address, found] = *static_cast<std::pair<std::uintptr_t, bool*>*>(data);
            for (int k = 0; k < module->dlpi_phnum; ++k) {
                const ElfW(Phdr)& segment = module->dlpi_phdr[k];
                const std::uintptr_t begin = module->dlpi_addr + segment.p_vaddr;
                if (segment.p_type == PT_GNU_RELRO && begin <= address && address < begin + segment.p_memsz) *found = true;
            }
            return 0;
        };
        std::pair<std::uintptr_t, bool*> data(reinterpret_cast<std::uintptr_t>(entry), &result);
        dl_iterate_phdr(look, &data);
        return result;
    }
};

bool contains(const dl_phdr_info& module, std::uintptr_t address) {
    for (int k = 0; k < module.dlpi_phnum; ++k) {
        const ElfW(Phdr)& segment = module.dlpi_phdr[k];
        const std::uintptr_t begin = module.dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_LOAD && begin <= address && address < begin + segment.p_memsz) return true;
    }
    return false;
}

int keep_tables_of(dl_phdr_info* module, std::size_t, void* done) {
    if (!contains(*module, reinterpret_cast<std::uintptr_t>(&llvm::install_bad_alloc_error_handler))) return 0;
    *static_cast<bool*>(done) = Library(*module).replace("__cxa_atexit", reinterpret_cast<void*>(&register_nothing));
    return 1;
}

}  // namespace

bool keep_llvm_tables() {
    bool done = false;
    dl_iterate_phdr(keep_tables_of, &done);
    return done;
}

#if SINTER_HAS_RESOLVER

namespace {

bool kept_in_time() { return true; }
bool kept_too_late() { return false; }

}  // namespace

extern "C" bool (*sinter_resolve_tables())() { return keep_llvm_tables() ? kept_in_time : kept_too_late; }

static bool are_kept() __attribute__((ifunc("sinter_resolve_tables")));

bool all_llvm_tables_stay() { return are_kept(); }

#else

bool all_llvm_tables_stay() { return false; }

#endif

}  // namespace sinter::emit

#endif
