// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A linker for the objects of single kernels: code, constants, and calls of the C library. All sections go into one mapping,
// which is made executable when it is complete; at its end are jumps to functions that are too far away for a direct call.
// (ELF: "System V Application Binary Interface", chapters 4 and 5.)
#include "jit/host/code/debugger.hpp"
#include "jit/host/code/elf_object.hpp"
#include "jit/host/code/image.hpp"
#include "support/arch/relocation.hpp"

#include <sinter/error.hpp>

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <unordered_map>
#include <vector>

namespace sinter::host {

namespace {

std::size_t round_up(std::size_t n, std::size_t unit) { return unit < 2 ? n : (n + unit - 1) / unit * unit; }

/// Pages that are writable until they are made executable.
class Memory {
  public:
    /// Throws std::bad_alloc.
    explicit Memory(std::size_t bytes) : bytes_(round_up(bytes, static_cast<std::size_t>(sysconf(_SC_PAGESIZE)))) {
        void* pages = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED) throw std::bad_alloc();
        data_ = static_cast<char*>(pages);
    }
    ~Memory() { munmap(data_, bytes_); }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    char* data() const { return data_; }

    /// Throws Limitation if the system forbids it.
    void make_executable() const {
        const bool done = mprotect(data_, bytes_, PROT_READ | PROT_EXEC) == 0;
        if (!done && errno == ENOMEM) throw std::bad_alloc();
        if (!done && !replace_by_file())
            throw Limitation(
                "this system forbids new executable pages, which generated code needs: run on Target::interpreter(), or set "
                "SINTER_TARGET=interpreter",
                location());
        __builtin___clear_cache(data_, data_ + bytes_);  // of instructions, where that does not see stores
    }

  private:
    /// In some processes, pages that have been writable must not become executable (prctl(PR_SET_MDWE), systemd's
    /// MemoryDenyWriteExecute), but pages of a file may be executable from the start.
    bool replace_by_file() const {
        const int file = memfd_create("sinter kernel", MFD_CLOEXEC);
        if (file < 0) return false;
        bool done = write(file, data_, bytes_) == static_cast<ssize_t>(bytes_);
        done = done && mmap(data_, bytes_, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file, 0) == data_;
        close(file);
        return done;
    }

    std::size_t bytes_;
    char* data_;
};

bool is_supported(const std::string& object) {
    return ElfObject::is_one(object) && ElfObject(object).header().e_machine == arch::elf_machine;
}

bool is_loaded(const Elf64_Shdr& section) { return (section.sh_flags & SHF_ALLOC) != 0 && section.sh_size > 0; }

bool is_external(const Elf64_Sym& symbol) { return symbol.st_shndx == SHN_UNDEF && symbol.st_name != 0; }

class DirectImage : public Image {
  public:
    void* find(const char* name) const override {
        const auto found = functions_.find(name);
        return found == functions_.end() ? nullptr : found->second;
    }

  private:
    friend class Link;
    std::unique_ptr<Memory> memory_;
    std::unique_ptr<Announced> announced_;  ///< declared so that it is withdrawn before the memory is released
    std::unordered_map<std::string, void*> functions_;
};

class Link {
  public:
    explicit Link(const std::string& object) : object_(object), file_(object) {}

    std::unique_ptr<Image> operator()() {
        if (!place_sections() || !resolve_symbols()) return nullptr;
        for (const Elf64_Shdr& section : file_.sections())
            if (section.sh_type == SHT_RELA && is_loaded(file_.sections()[section.sh_info]) && !relocate(section))
                return nullptr;
        image_->memory_->make_executable();
        image_->announced_ = announce_to_debugger(object_, addresses_of_sections());
        return std::move(image_);
    }

  private:
    bool place_sections() {
        std::size_t end = 0;
        for (const Elf64_Shdr& section : file_.sections()) {
            if (is_loaded(section) && (section.sh_type != SHT_PROGBITS || (section.sh_flags & SHF_WRITE) != 0)) return false;
            if (is_loaded(section)) end = round_up(end, section.sh_addralign);
            offsets_.push_back(end);
            if (is_loaded(section)) end += section.sh_size;
        }
        stubs_ = round_up(end, arch::stub_bytes);
        image_->memory_ = std::make_unique<Memory>(stubs_ + arch::stub_bytes * file_.symbols().size() + 1);
        for (std::size_t k = 0; k < offsets_.size(); ++k) {
            const Elf64_Shdr& section = file_.sections()[k];
            if (is_loaded(section)) std::memcpy(base() + offsets_[k], file_.content(section), section.sh_size);
        }
        return true;
    }

    std::vector<std::uint64_t> addresses_of_sections() const {
        std::vector<std::uint64_t> addresses;
        for (std::size_t k = 0; k < offsets_.size(); ++k)
            addresses.push_back(is_loaded(file_.sections()[k]) ? reinterpret_cast<std::uint64_t>(base() + offsets_[k]) : 0);
        return addresses;
    }

    bool resolve_symbols() {
        for (const Elf64_Sym& symbol : file_.symbols()) {
            const char* name = file_.name(symbol);
            if (is_external(symbol)) {
                addresses_.push_back(make_stub(addresses_.size(), dlsym(RTLD_DEFAULT, name)));
            } else if (symbol.st_shndx < offsets_.size()) {
                addresses_.push_back(base() + offsets_[symbol.st_shndx] + symbol.st_value);
            } else {
                addresses_.push_back(nullptr);  // not an address, for example the name of a file
            }
            if (is_external(symbol) && !addresses_.back()) return false;
            if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC) image_->functions_.emplace(name, addresses_.back());
        }
        return true;
    }

    char* make_stub(std::size_t symbol, void* target) {
        if (!target) return nullptr;
        char* stub = base() + stubs_ + symbol * arch::stub_bytes;
        arch::write_stub(stub, target);
        return stub;
    }

    bool relocate(const Elf64_Shdr& section) {
        for (const Elf64_Rela& entry : file_.entries<Elf64_Rela>(section)) {
            const char* target = addresses_[ELF64_R_SYM(entry.r_info)];
            char* place = base() + offsets_[section.sh_info] + entry.r_offset;
            const auto type = ELF64_R_TYPE(entry.r_info);
            const bool external = is_external(file_.symbols()[ELF64_R_SYM(entry.r_info)]);
            if (!target || (external && !arch::is_call(type))) return false;
            if (!arch::relocate(type, place, target + entry.r_addend)) return false;
        }
        return true;
    }

    char* base() const { return image_->memory_->data(); }

    const std::string& object_;
    ElfObject file_;
    std::unique_ptr<DirectImage> image_ = std::make_unique<DirectImage>();
    std::vector<std::size_t> offsets_;  ///< of sections, in memory
    std::size_t stubs_ = 0;             ///< where they begin
    std::vector<char*> addresses_;      ///< of symbols
};

}  // namespace

std::unique_ptr<Image> link_directly(const std::string& object) { return is_supported(object) ? Link(object)() : nullptr; }

}  // namespace sinter::host
