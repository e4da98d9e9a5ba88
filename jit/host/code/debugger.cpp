// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A debugger stops the process in __jit_debug_register_code and looks at the list of object files that begins at
// __jit_debug_descriptor. It reads names and lines from an object file in the form in which a compiler writes it, whose
// sections say where they are.
#include "jit/host/code/debugger.hpp"

#include "jit/host/code/elf_object.hpp"
#include "support/settings.hpp"
#include "support/threads/process.hpp"

#include <cstddef>
#include <cstring>
#include <mutex>

// The names, layout and values are those of GDB.
extern "C" {

enum : std::uint32_t { sinter_jit_none, sinter_jit_register, sinter_jit_unregister };

struct jit_code_entry {
    jit_code_entry* next_entry;
    jit_code_entry* prev_entry;
    const char* symfile_addr;
    std::uint64_t symfile_size;
};

struct jit_descriptor {
    std::uint32_t version;
    std::uint32_t action_flag;
    jit_code_entry* relevant_entry;
    jit_code_entry* first_entry;
};

jit_descriptor __jit_debug_descriptor = {1, sinter_jit_none, nullptr, nullptr};

__attribute__((noinline, used)) void __jit_debug_register_code();
void __jit_debug_register_code() { asm volatile("" ::: "memory"); }
}

namespace sinter::host {

namespace {

bool is_gdb_wanted() {
    static const bool wanted = setting("SINTER_DEBUGGER") == "gdb";
    return wanted;
}

ForkMutex& list_mutex() {
    static auto& mutex = *new ForkMutex;  // kernels may live until the process ends
    return mutex;
}

void tell(std::uint32_t action, jit_code_entry& entry) {
    __jit_debug_descriptor.action_flag = action;
    __jit_debug_descriptor.relevant_entry = &entry;
    __jit_debug_register_code();
}

class Entry final : public Announced {
  public:
    explicit Entry(std::string object) : object_(std::move(object)) {
        const std::lock_guard lock(list_mutex());
        entry_ = {__jit_debug_descriptor.first_entry, nullptr, object_.data(), object_.size()};
        if (entry_.next_entry) entry_.next_entry->prev_entry = &entry_;
        __jit_debug_descriptor.first_entry = &entry_;
        tell(sinter_jit_register, entry_);
    }
    ~Entry() override {
        const std::lock_guard lock(list_mutex());
        if (entry_.next_entry) entry_.next_entry->prev_entry = entry_.prev_entry;
        (entry_.prev_entry ? entry_.prev_entry->next_entry : __jit_debug_descriptor.first_entry) = entry_.next_entry;
        tell(sinter_jit_unregister, entry_);
    }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

  private:
    std::string object_;
    jit_code_entry entry_;
};

}  // namespace

std::unique_ptr<Announced> announce_to_debugger(const std::string& object, const std::vector<std::uint64_t>& addresses) {
    if (!is_gdb_wanted()) return nullptr;
    std::string placed = object;
    const Elf64_Ehdr header = ElfObject(object).header();
    for (std::size_t k = 0; k < addresses.size(); ++k) {
        const std::size_t at = header.e_shoff + k * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_addr);
        std::memcpy(placed.data() + at, &addresses[k], sizeof addresses[k]);
    }
    return std::make_unique<Entry>(std::move(placed));
}

}  // namespace sinter::host
