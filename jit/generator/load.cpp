// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libsinter-codegen.so is in the folder of libsinter.so. That folder is found by the name under which the dynamic linker
// knows libsinter.so; or, if that is a link or the working directory has changed since, by the file that the system has
// mapped.
#include "jit/generator/library.hpp"

#include "support/log.hpp"
#include "support/threads/process.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <new>
#include <optional>

namespace sinter::codegen {

namespace {

/// The address space that LLVM takes, and the memory that it needs before it compiles anything.
constexpr std::size_t needed_bytes = std::size_t{256} << 20;

void try_memory() {
    void* memory = mmap(nullptr, needed_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    munmap(memory, needed_bytes);
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

/// The folder of the library, as the dynamic linker knows it.
std::string linked_folder() {
    Dl_info info{};
    return dladdr(reinterpret_cast<const void*>(&generator), &info) != 0 ? folder_of(info.dli_fname) : std::string();
}

/// The folder of the file that contains this function.
std::string mapped_folder() {
    std::FILE* maps = std::fopen("/proc/self/maps", "re");
    if (!maps) return {};
    const auto wanted = reinterpret_cast<std::uintptr_t>(&generator);
    std::string result;
    for (char line[4608]; std::fgets(line, sizeof line, maps);) {
        std::uintptr_t begin = 0, end = 0;
        if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &begin, &end) != 2 || wanted < begin || wanted >= end) continue;
        const std::string text = line;
        if (const std::size_t path = text.find('/'); path != std::string::npos) result = folder_of(text.substr(path));
        break;
    }
    std::fclose(maps);
    return result;
}

[[noreturn]] void fail(const std::string& problem) { throw Limitation("code cannot be generated: " + problem, location()); }

void* open_library() {
    const std::string linked = linked_folder(), mapped = mapped_folder();
    for (const std::string& folder : {linked, mapped})
        if (const std::string path = folder + SINTER_CODEGEN_FILE; access(path.c_str(), F_OK) == 0) {
            if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
            const char* reason = dlerror();
            fail(fmt::format("{} cannot be loaded ({})", path, reason ? reason : "unknown reason"));
        }
    fail(fmt::format("{} is not in {}, where libsinter.so is; install it there, or run on Target::interpreter()",
                     SINTER_CODEGEN_FILE, linked));
}

Generator& load() {
    const CriticalSection section;
    try_memory();
    void* library = open_library();
    auto* entry = reinterpret_cast<EntryFunction>(dlsym(library, entry_name));
    Generator* result = entry ? entry(build_pair()) : nullptr;
    if (!result)
        fail(SINTER_CODEGEN_FILE
             " belongs to another build of the library than libsinter.so; install both again, and begin the "
             "program anew");
    log_line(LogLevel::info, "loaded the code generator, {}", SINTER_CODEGEN_FILE);
    return *result;
}

}  // namespace

Generator& generator() {
    static Generator& loaded = load();
    return loaded;
}

}  // namespace sinter::codegen
