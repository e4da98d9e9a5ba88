// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Splits a function: what is expensive and depends only on some of its parameters is separated from the rest.
#pragma once

#include "ir/function.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace sinter::opt {

/// What is worth being separated: expensive instructions (opt/cost.hpp), or also divisions of integers by numbers that are
/// no powers of two, for which vectors have no instruction.
enum class Worth { expensive, divisions };

/// What a value varies with, a bit each.
using Variation = std::uint64_t;

struct Hoisted {
    ir::Fn known;  ///< parameters: those that were known; results: what the rest needs
    ir::Fn fn;     ///< the rest, with the results of `known` as additional parameters after the others
};

/// Separates what varies with nothing but `known`, given what each parameter varies with. Nothing if nothing is worth it.
/// Only instructions that cannot fail are moved. Linear.
std::optional<Hoisted> hoist_known(const ir::Fn& fn, const std::vector<Variation>& params, Variation known, Worth worth);

/// The function whose last `count` parameters come before those from number `to` on.
ir::Fn with_last_moved(const ir::Fn& fn, std::size_t count, std::size_t to);

/// What the values that are worth being separated vary with.
std::set<Variation> worthwhile(const ir::Fn& fn, const std::vector<Variation>& params, Worth worth);

/// Separates what depends on captured scalars alone, which are the last `captured` parameters.
std::optional<Hoisted> hoist_scalars(const ir::Fn& fn, std::size_t captured);

}  // namespace sinter::opt
