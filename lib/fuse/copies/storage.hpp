// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What of a body to keep in memory and what to compute again, where layers (layers.hpp) are all that matters.
#pragma once

#include "fuse/cost.hpp"
#include "fuse/tuning.hpp"

#include <chrono>
#include <optional>
#include <vector>

namespace sinter::fuse {

struct Storage {
    /// No partition costs less, whatever is copied and however often; copies cost their arithmetic (Prices::computed).
    double lower = 0;
    std::vector<bool> stored;        ///< by operation: what the cheapest choice keeps of what it need not
    std::vector<std::size_t> layer;  ///< by operation: in which layer it is computed first
};

/// `again`, by operation: what each further copy costs; infinite where there is to be none. Takes all operations of a layer
/// to share a cluster, so that the choice may not be the cheapest where they cannot; `lower` holds in any case. Nothing
/// where there are too many choices to compare within `deadline`.
std::optional<Storage> cheapest_storage(const DepGraph& graph, const Prices& prices, const std::vector<double>& again,
                                        std::chrono::duration<double> deadline = tuning::deadline_of_storage);

}  // namespace sinter::fuse
