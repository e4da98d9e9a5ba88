// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The tables of an object file made by the code generator.
#pragma once

#include <elf.h>

#include <cstring>
#include <string>
#include <vector>

namespace sinter::host {

/// The file is our own and complete, so positions in it are trusted. Refers to the bytes.
class ElfObject {
  public:
    explicit ElfObject(const std::string& bytes) : bytes_(bytes) {
        std::memcpy(&header_, bytes.data(), sizeof header_);
        sections_ = table<Elf64_Shdr>(header_.e_shoff, header_.e_shnum);
        for (const Elf64_Shdr& section : sections_) {
            if (section.sh_type != SHT_SYMTAB) continue;
            symbols_ = entries<Elf64_Sym>(section);
            names_ = sections_[section.sh_link].sh_offset;
        }
    }

    /// True if it is an object file of 64 bits.
    static bool is_one(const std::string& bytes) {
        Elf64_Ehdr header;
        if (bytes.size() < sizeof header) return false;
        std::memcpy(&header, bytes.data(), sizeof header);
        return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
               header.e_type == ET_REL;
    }

    template <class T>
    std::vector<T> entries(const Elf64_Shdr& section) const {
        return table<T>(section.sh_offset, section.sh_size / sizeof(T));
    }
    const Elf64_Ehdr& header() const { return header_; }
    const std::vector<Elf64_Shdr>& sections() const { return sections_; }
    const std::vector<Elf64_Sym>& symbols() const { return symbols_; }
    const char* name(const Elf64_Sym& symbol) const { return bytes_.data() + names_ + symbol.st_name; }
    const char* content(const Elf64_Shdr& section) const { return bytes_.data() + section.sh_offset; }

  private:
    template <class T>
    std::vector<T> table(std::size_t offset, std::size_t count) const {
        std::vector<T> result(count);
        std::memcpy(result.data(), bytes_.data() + offset, count * sizeof(T));
        return result;
    }

    const std::string& bytes_;
    Elf64_Ehdr header_;
    std::vector<Elf64_Shdr> sections_;
    std::vector<Elf64_Sym> symbols_;
    std::size_t names_ = 0;
};

}  // namespace sinter::host
