// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/host/code/perf_map.hpp"

#include "jit/emit/arguments.hpp"
#include "jit/host/code/elf_object.hpp"
#include "support/cache/own_folder.hpp"
#include "support/log.hpp"
#include "support/settings.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>

namespace sinter::host {

namespace {

bool is_perf_wanted() {
    static const bool wanted = setting("SINTER_PROFILER") == "perf";
    return wanted;
}

/// One line per function: its address, its size, and its name, to which the rest of the line belongs. A kernel's main
/// function has just the kernel's name.
std::string lines_of(const std::string& object, const codegen::Image& image, const std::string& kernel) {
    const ElfObject file(object);
    std::string lines;
    for (const Elf64_Sym& symbol : file.symbols()) {
        if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC) continue;
        const std::string name = file.name(symbol);
        const void* address = image.find(name.c_str());
        if (!address) continue;
        lines += fmt::format("{:x} {:x} {}{}\n", reinterpret_cast<std::uintptr_t>(address), symbol.st_size, kernel,
                             name == emit::kernel_name ? "" : " (" + name + ")");
    }
    return lines;
}

}  // namespace

void write_perf_map(const std::string& object, const codegen::Image& image, const std::string& kernel) {
    if (!is_perf_wanted() || !ElfObject::is_one(object)) return;
    const std::string path = fmt::format("/tmp/perf-{}.map", getpid());
    const std::string lines = lines_of(object, image, kernel);
    const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (file < 0 || write(file, lines.data(), lines.size()) != static_cast<ssize_t>(lines.size()))
        log_line(LogLevel::warning, "{} cannot be written: perf will not know {}", path, kernel);
}

}  // namespace sinter::host
