// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Removes from functions what their results do not need.
#pragma once

#include "ir/builder.hpp"
#include "ir/program.hpp"

namespace sinter::opt {

/// The parameters and array slots of a function that are used.
struct Used {
    std::vector<bool> params, arrays;
};
/// `results`: the results that count (if empty, all of them). Linear.
Used used(const ir::Fn& fn, const std::vector<bool>& results = {});

/// The canonical function without the parameters, slots (which must be unused) and results that are not kept. If `results`
/// is empty, all of them are kept.
ir::Fn trim(const ir::Fn& fn, const Used& keep, const std::vector<bool>& results = {});

/// A map without the arguments, indices and captures that these results do not need. `rank`: of its results.
void trim(ir::Map& map, std::size_t rank, const std::vector<bool>& results);

/// For inline_block: replaces array slot i by slots[i].
ir::Rewrite renumber_arrays(std::vector<std::size_t> slots);

/// The items whose flag is set.
template <class T>
void filter(std::vector<T>& items, const std::vector<bool>& keep, std::size_t first_flag = 0) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < items.size(); ++i)
        if (keep[first_flag + i]) items[kept++] = items[i];
    items.resize(kept);
}

}  // namespace sinter::opt
