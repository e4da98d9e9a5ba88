// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known about a program's sizes when its clusters are chosen.
#pragma once

#include "enable/wishes.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace sinter::runtime {

struct Call;

/// The values of all sizes in this call. Numbers that the program computes, such as the position of a loop, are assumed to
/// equal the largest extent of an input, which bounds what a filter keeps, but not less than `least`. If less than one
/// element would be left of something, nothing is subtracted from it: what follows a computed position counts as everything.
std::vector<std::int64_t> estimate_sizes(const ir::Program& program, const Call& call, std::int64_t least = 1);

/// The value of a size in a call, or what it is assumed to be if the program computes it.
struct Estimate {
    std::int64_t value;
    bool is_computed;
};
/// Likewise of the sizes of a kernel, by those of what it is launched with.
std::vector<std::int64_t> estimate_kernel_sizes(const ir::SizeTable& sizes, std::span<const Estimate> arguments);

/// True if a wish of the program holds in this call.
bool holds(const ir::Program& program, const enable::Wish& wish, const Call& call);

/// A number that is equal for calls whose extents lie between the same powers of two.
std::uint64_t extents_class(const ir::Program& program, const Call& call);

}  // namespace sinter::runtime
