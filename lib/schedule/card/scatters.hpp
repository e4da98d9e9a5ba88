// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Scatters without an operator, where many threads store at once. Two of them may meet at one element: which value wins is
/// unspecified, but it has to be one of them. Plain stores that nothing orders are a race, in PTX as in C++, so a value is
/// stored by one relaxed access. An element of several values, each of which is in an array of its own, belongs to the first
/// thread that claims it: it sets a bit by an atomic instruction, and who finds the bit set stores nothing.
#pragma once

#include "lower/kernel.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::schedule::card {

/// A store at which threads may meet.
struct Meeting {
    const lower::Inst* store;
    std::optional<std::size_t> claims = {};  ///< for elements of several values: number of the array with the bits
    bool is_first = true;                    ///< the first store of the element, which claims it for the others
};

struct Scatters {
    std::vector<Meeting> meetings;
    std::vector<ir::SizeId> claimed;  ///< for each array of bits: number of elements that may be claimed

    const Meeting* find(const lower::Inst& store) const {
        for (const Meeting& meeting : meetings)
            if (meeting.store == &store) return &meeting;
        return nullptr;
    }
};
Scatters scatters_of(const lower::Kernel& kernel);

}  // namespace sinter::schedule::card
