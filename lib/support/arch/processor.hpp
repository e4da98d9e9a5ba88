// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The processor on which this process runs, described by what code generation decides.
#pragma once

#include <string>

namespace sinter::arch {

/// What generated code may use: features that the processor has and whose registers the system saves. Without other values,
/// what every processor of aarch64 has.
struct Processor {
    bool x86 = false;                ///< minimum, maximum and saturating casts have sequences of their own
    int vector_bits = 128;           ///< width of a vector register
    int most_vector_bits = 128;      ///< widest registers that code can be generated for, if not executed
    bool fma = true;                 ///< a * b + c is rounded once
    bool masked_memory = false;      ///< vectors of 256 bits and more are loaded and stored under a mask
    bool nontemporal = false;        ///< there are stores past the caches
    bool many_registers = true;      ///< 32 vector registers of every width; else 16, and 32 of 512 bits
    bool compresses_narrow = false;  ///< an instruction compresses vectors of 512 bits with elements of 8 and 16 bits
    bool gathers_well = false;       ///< an instruction gathers vectors of 512 bits faster than single loads do
    std::string identity;            ///< everything that its manufacturer and the system say about it, as numbers
};

Processor this_processor();

}  // namespace sinter::arch
