// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What instructions compute from the values of their operands. A register has 64 bits; those beyond its type are 0.
#pragma once

#include "ptx.hpp"

namespace driver {

/// The lowest bits of a register.
std::uint64_t low(std::uint64_t value, unsigned bits);
std::int64_t extended(std::uint64_t value, unsigned bits);

std::uint64_t integer(const Instruction& in, std::uint64_t a, std::uint64_t b, std::uint64_t c);
/// For four operands, which bfi has.
std::uint64_t bit_field(const Instruction& in, std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d);
std::uint64_t floating(const Instruction& in, std::uint64_t a, std::uint64_t b, std::uint64_t c);
bool compare(const Instruction& in, std::uint64_t a, std::uint64_t b);
std::uint64_t convert(const Instruction& in, std::uint64_t a);
/// A float, rounded to a fraction of 10 bits, to nearest and away from zero between two.
std::uint64_t to_tf32(std::uint64_t a);
/// Executes any instruction that is alone but a branch.
void compute(const Instruction& in, std::uint64_t* registers, Lanes lanes);
/// The function that does the same sooner: for the most frequent ones a function of their own.
Compute compute_of(const Instruction& in);
/// What an atomic instruction leaves in place of `old`.
std::uint64_t updated(const Instruction& in, std::uint64_t old, std::uint64_t a, std::uint64_t b);

}  // namespace driver
