// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/execute/tiled/known_tiles.hpp"

#include <algorithm>

namespace sinter::runtime {

const TiledRound& TiledPlan::round_of(std::size_t steps) const {
    return **std::find_if(rounds.begin(), rounds.end(), [&](const auto& round) { return round->steps() == steps; });
}

std::size_t TiledPlan::parts() const {
    std::size_t all = 0;
    for (const auto& round : rounds) all += round->parts();
    return all;
}

void KnownTiles::keep(Key key, std::shared_ptr<const TiledPlan> plan) {
    if (plan->parts() <= tuning::most_known_parts) plans_.keep(std::move(key), std::move(plan));
}

}  // namespace sinter::runtime
