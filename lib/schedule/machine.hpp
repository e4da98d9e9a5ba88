// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The properties of the target machine that decide between schedules and between instructions.
#pragma once

#include "schedule/tuning.hpp"

namespace sinter::schedule {

struct Machine {
    int vector_bits = 0;           ///< width of a vector register; 0 if there are none and every loop is scalar
    bool x86 = false;              ///< minimum, maximum and saturating casts have sequences of their own
    bool mask_registers = false;   ///< masks are <W x i1> across blocks, too (AVX-512); else they are integer lanes
    bool masked_memory = true;     ///< there are masked loads and stores of elements of 32 and 64 bits
    bool masked_narrow = false;    ///< there are masked loads and stores of elements of 8 and 16 bits, too
    bool compress_narrow = false;  ///< an instruction compresses elements of 8 and 16 bits, too
    bool gather = false;           ///< hardware gathers are faster than scalar loads and inserts
    bool fma = true;               ///< there is an instruction; else fma is a call of the C library
    bool nontemporal = false;      ///< there are stores past the caches, with the alignment of vectors
    int registers = 16;            ///< number of vector registers

    /// The time of a vector instruction, relative to one of 256 bits: wider ones take as long per byte that is not in the
    /// nearest cache, and fewer ports execute them.
    double instruction_time() const { return vector_bits > 256 ? tuning::wide_instruction : 1; }
    /// True if the remainder of a lane loop is better executed one by one than as vectors under a mask. Loads of narrow
    /// elements under a mask are put together from single ones, which costs less than the loop; stores cost more (rows of 40
    /// to 1,023 bytes, Zen 3: largest 0.25 to 1.0 of the time, sums 0.5 to 1.5, maps to f32 0.6 to 1.6; maps to bytes 3.3).
    bool single_tail(bool narrow_stores) const { return !masked_memory || (narrow_stores && !masked_narrow); }
};

}  // namespace sinter::schedule
