// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The parts of the ELF format that differ from processor to processor: in the objects of our code generator, and in loaded
/// libraries.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>

namespace sinter::arch {

#if defined(__x86_64__)
inline constexpr int elf_machine = EM_X86_64;
inline constexpr std::uint64_t jump_slot = R_X86_64_JUMP_SLOT, global_data = R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
inline constexpr int elf_machine = EM_AARCH64;
inline constexpr std::uint64_t jump_slot = R_AARCH64_JUMP_SLOT, global_data = R_AARCH64_GLOB_DAT;
#else
inline constexpr int elf_machine = EM_NONE;  // relocate() knows none
inline constexpr std::uint64_t jump_slot = ~std::uint64_t{0}, global_data = jump_slot;
#endif

/// Size and alignment of a stub.
inline constexpr std::size_t stub_bytes = 16;

/// Writes a jump to `target`, however far that is.
void write_stub(char* place, const void* target);

/// True for the relocations of direct calls and jumps, which may lead to a stub instead of the symbol.
bool is_call(std::uint64_t type);

/// Writes `value`, the address of a symbol plus the addend, to `place` in the form that the relocation demands. False if the
/// relocation is not known, or if the distance is too large for it.
bool relocate(std::uint64_t type, char* place, const char* value);

}  // namespace sinter::arch
