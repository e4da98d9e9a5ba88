// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What decides between schedules, and between instructions, of the machine that code is for.
#pragma once

#include "schedule/tuning.hpp"

namespace sinter::schedule {

struct Machine {
    int vector_bits = 0;           ///< width of a vector register; 0: no vectors, every loop is scalar
    bool x86 = false;              ///< minimum, maximum and saturating casts have sequences of their own
    bool mask_registers = false;   ///< masks are <W x i1> across blocks too (AVX-512); else integer lanes
    bool masked_memory = true;     ///< masked loads and stores of 32 and 64 bit elements exist
    bool masked_narrow = false;    ///< of 8 and 16 bit elements too
    bool compress_narrow = false;  ///< 8 and 16 bit elements are compressed by an instruction too
    bool gather = false;           ///< hardware gathers beat scalar loads and inserts
    bool fma = true;               ///< else fma is a call of the C library
    bool nontemporal = false;      ///< stores past the caches exist, with vectors' alignment
    int registers = 16;            ///< vector registers

    /// Time of a vector instruction, in those of 256 bits: wider ones take as long for each byte that is not in the nearest
    /// cache, and fewer ports take them.
    double instruction_time() const { return vector_bits > 256 ? tuning::wide_instruction : 1; }
    /// Whether the rest of a lane loop is better done one by one than by vectors under a mask.
    bool single_tail(bool narrow_memory) const { return !masked_memory || (narrow_memory && !masked_narrow); }
};

}  // namespace sinter::schedule
