// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/cache/build_id.hpp"

#include <fmt/format.h>
#include <link.h>

#include <cstdint>
#include <string_view>

namespace sinter {

namespace {

constexpr std::string_view owner("GNU\0", 4);

std::size_t padded(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

/// The build id among a segment's notes; empty if there is none.
std::string find_in_notes(const char* at, const char* end, std::size_t unit) {
    while (at + sizeof(ElfW(Nhdr)) <= end) {
        const auto& note = *reinterpret_cast<const ElfW(Nhdr)*>(at);
        const char* name = at + sizeof note;
        const char* content = name + padded(note.n_namesz, unit);
        if (note.n_type == NT_GNU_BUILD_ID && std::string_view(name, note.n_namesz) == owner) {
            const auto* bytes = reinterpret_cast<const std::uint8_t*>(content);
            return fmt::format("{:02x}", fmt::join(bytes, bytes + note.n_descsz, ""));
        }
        at = content + padded(note.n_descsz, unit);
    }
    return {};
}

const char* address(const dl_phdr_info& module, const ElfW(Phdr) & segment) {
    return reinterpret_cast<const char*>(module.dlpi_addr + segment.p_vaddr);
}

bool contains(const dl_phdr_info& module, const void* place) {
    for (int k = 0; k < module.dlpi_phnum; ++k) {
        const ElfW(Phdr)& segment = module.dlpi_phdr[k];
        const char* begin = address(module, segment);
        if (segment.p_type == PT_LOAD && begin <= place && place < begin + segment.p_memsz) return true;
    }
    return false;
}

int find_in_module(dl_phdr_info* module, std::size_t, void* result) {
    if (!contains(*module, reinterpret_cast<const void*>(&build_id))) return 0;
    for (int k = 0; k < module->dlpi_phnum; ++k) {
        const ElfW(Phdr)& segment = module->dlpi_phdr[k];
        if (segment.p_type != PT_NOTE) continue;
        const char* begin = address(*module, segment);
        const std::string id = find_in_notes(begin, begin + segment.p_memsz, segment.p_align == 8 ? 8 : 4);
        if (!id.empty()) *static_cast<std::string*>(result) = id;
    }
    return 1;
}

}  // namespace

const std::string& build_id() {
    static const auto& id = *new std::string([] {  // never destroyed
        std::string found;
        dl_iterate_phdr(find_in_module, &found);
        return found;
    }());
    return id;
}

}  // namespace sinter
