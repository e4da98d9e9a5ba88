// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// "System V Application Binary Interface, AMD64 Architecture Processor Supplement", chapter 4; "ELF for the Arm 64-bit
// Architecture (AArch64)", section 5.7; encodings of instructions: "Arm Architecture Reference Manual", chapter C6.
#include "support/arch/relocation.hpp"

#include <cstring>

namespace sinter::arch {

namespace {

template <class T>
[[maybe_unused]] bool write(char* place, T value) {
    std::memcpy(place, &value, sizeof value);
    return true;
}

}  // namespace

#if defined(__x86_64__)

void write_stub(char* place, const void* target) {
    constexpr unsigned char jump[] = {0xff, 0x25, 0, 0, 0, 0};  // jmp *0(%rip), followed by the address
    std::memcpy(place, jump, sizeof jump);
    write(place + sizeof jump, target);
}

bool is_call(std::uint64_t type) { return type == R_X86_64_PLT32; }

bool relocate(std::uint64_t type, char* place, const char* value) {
    const std::int64_t distance = value - place;
    if (type == R_X86_64_64) return write(place, value);
    if (type != R_X86_64_PC32 && type != R_X86_64_PLT32) return false;
    return distance == static_cast<std::int32_t>(distance) && write(place, static_cast<std::int32_t>(distance));
}

#elif defined(__aarch64__)

namespace {

/// Puts the low `bits` of `value` into an instruction.
bool insert(char* place, std::uint64_t value, int at, int bits) {
    std::uint32_t word;
    std::memcpy(&word, place, sizeof word);
    const std::uint32_t mask = ((std::uint32_t{1} << bits) - 1) << at;
    return write(place, (word & ~mask) | (static_cast<std::uint32_t>(value << at) & mask));
}

bool fits(std::int64_t value, int bits) { return value >> (bits - 1) == 0 || value >> (bits - 1) == -1; }

/// The offset of an address within its page, in units of 2^scale bytes, as loads and stores of that size have it.
bool insert_offset(char* place, std::uint64_t address, int scale) {
    return insert(place, (address & 0xfff) >> scale, 10, 12);
}

/// The distance of two pages, in the two fields of an adrp.
bool insert_pages(char* place, std::uint64_t address) {
    const auto here = reinterpret_cast<std::uint64_t>(place);
    const auto pages = static_cast<std::int64_t>((address >> 12) - (here >> 12));
    const auto low = static_cast<std::uint64_t>(pages);
    return fits(pages, 21) && insert(place, low, 29, 2) && insert(place, low >> 2, 5, 19);
}

}  // namespace

void write_stub(char* place, const void* target) {
    constexpr std::uint32_t jump[] = {0x58000050, 0xd61f0200};  // ldr x16, .+8; br x16; followed by the address
    std::memcpy(place, jump, sizeof jump);
    write(place + sizeof jump, target);
}

bool is_call(std::uint64_t type) { return type == R_AARCH64_CALL26 || type == R_AARCH64_JUMP26; }

bool relocate(std::uint64_t type, char* place, const char* value) {
    const auto address = reinterpret_cast<std::uint64_t>(value);
    const std::int64_t distance = value - place;
    switch (type) {
        case R_AARCH64_ABS64:
            return write(place, value);
        case R_AARCH64_PREL64:
            return write(place, distance);
        case R_AARCH64_PREL32:
            return fits(distance, 32) && write(place, static_cast<std::int32_t>(distance));
        case R_AARCH64_CALL26:
        case R_AARCH64_JUMP26:
            return fits(distance, 28) && insert(place, static_cast<std::uint64_t>(distance) >> 2, 0, 26);
        case R_AARCH64_ADR_PREL_PG_HI21:
            return insert_pages(place, address);
        case R_AARCH64_ADD_ABS_LO12_NC:
        case R_AARCH64_LDST8_ABS_LO12_NC:
            return insert_offset(place, address, 0);
        case R_AARCH64_LDST16_ABS_LO12_NC:
            return insert_offset(place, address, 1);
        case R_AARCH64_LDST32_ABS_LO12_NC:
            return insert_offset(place, address, 2);
        case R_AARCH64_LDST64_ABS_LO12_NC:
            return insert_offset(place, address, 3);
        case R_AARCH64_LDST128_ABS_LO12_NC:
            return insert_offset(place, address, 4);
        default:
            return false;
    }
}

#else

void write_stub(char*, const void*) {}
bool is_call(std::uint64_t) { return false; }
bool relocate(std::uint64_t, char*, const char*) { return false; }

#endif

}  // namespace sinter::arch
