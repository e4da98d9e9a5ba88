// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code generator has a name for each processor and feature; what follows here is what it looks at to find them (Intel 64
// and IA-32 Architectures Software Developer's Manual, volume 2, CPUID and XGETBV; AMD64 Architecture Programmer's Manual,
// volume 3, appendix E). The words of CPUID stand in the identity as they are, so nothing has to be known of new processors.
#include "support/arch/processor.hpp"

#include <fmt/format.h>

#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__linux__)
#include <sys/auxv.h>
#endif

namespace sinter::arch {

#if defined(__x86_64__)

namespace {

struct Words {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

Words words_of(unsigned leaf, unsigned part = 0) {
    Words w;
    if (__get_cpuid_count(leaf, part, &w.eax, &w.ebx, &w.ecx, &w.edx) == 0) return {};
    return w;
}

bool has(unsigned word, int bit) { return (word >> bit & 1) != 0; }

/// The registers that the system saves, by XCR0.
unsigned saved_registers(const Words& basic) {
    if (!has(basic.ecx, 27)) return 0;  // OSXSAVE
    unsigned low = 0, high = 0;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

bool is_zen(const Words& vendor, const Words& basic) {
    const unsigned family = (basic.eax >> 8 & 0xf) + (basic.eax >> 20 & 0xff);
    return vendor.ebx == signature_AMD_ebx && family >= 0x17;
}

/// Without what differs from core to core: the number of the one this runs on, in ebx of leaf 1.
std::string identity_of(const Words& vendor, const Words& basic, unsigned saved) {
    std::string text = fmt::format("{:x}.{:x}.{:x} {:x}.{:x}.{:x} {:x}", vendor.ebx, vendor.ecx, vendor.edx, basic.eax,
                                   basic.ecx, basic.edx, saved);
    constexpr unsigned leaves[][2] = {{0x7, 0},  {0x7, 1},  {0xd, 1},  {0x14, 0},
                                      {0x19, 0}, {0x1e, 1}, {0x24, 0}, {0x80000001, 0}};
    for (const auto& [leaf, part] : leaves) {
        const Words w = words_of(leaf, part);
        text += fmt::format(" {:x}.{:x}.{:x}.{:x}", w.eax, leaf == 0xd ? 0 : w.ebx, w.ecx, w.edx);
    }
    return text + fmt::format(" {:x}", words_of(0x80000008).ebx);
}

}  // namespace

Processor this_processor() {
    const Words vendor = words_of(0), basic = words_of(1), extended = words_of(7);
    const unsigned saved = saved_registers(basic);
    const bool avx = (saved & 0x6) == 0x6, wide = avx && (saved & 0xe0) == 0xe0;
    bool wider = wide;
    for (int bit : {16, 17, 30, 31}) wider = wider && has(extended.ebx, bit);  // AVX-512 f, dq, bw, vl
    const bool avx2 = avx && has(extended.ebx, 5);
    Processor p;
    p.vector_bits = wider ? 512 : avx2 ? 256 : 128;
    p.most_vector_bits = 512;
    p.fma = avx && has(basic.ecx, 12);
    p.x86 = p.masked_memory = p.nontemporal = true;
    p.many_registers = false;
    p.compresses_narrow = wider && has(extended.ecx, 6);  // vbmi2
    p.gathers_well = !is_zen(vendor, basic);              // theirs take as long as the loads, and more
    p.identity = identity_of(vendor, basic, saved);
    return p;
}

#else

Processor this_processor() {
    Processor p;
#if defined(__linux__)
    const auto* platform = reinterpret_cast<const char*>(getauxval(AT_PLATFORM));
    p.identity = fmt::format("{} {:x} {:x}", platform ? platform : "", getauxval(AT_HWCAP), getauxval(AT_HWCAP2));
#endif
    return p;
}

#endif

}  // namespace sinter::arch
