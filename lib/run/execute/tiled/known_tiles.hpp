// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What has been found out about a loop whose iterations are launches that can be done in parts (loop_tiled.cpp): calls with
/// the same extents need not look again. For 500 steps of a stencil on 32,000 points, that takes a tenth of the time.
#pragma once

#include "run/execute/tiled/tiles.hpp"
#include "run/tuning.hpp"
#include "support/cache/last_few.hpp"

namespace sinter::runtime {

/// How a loop is executed; the same wherever its key is.
struct TiledPlan {
    TiledLaunches body;
    schedule::StepsChoice choice;  ///< one step: an iteration does something else, or tiles do not pay
    std::vector<std::unique_ptr<const TiledRound>> rounds;  ///< of each number of steps that rounds have

    const TiledRound& round_of(std::size_t steps) const;
    /// Parts of all tiles: what most of the memory is for.
    std::size_t parts() const;
};

class KnownTiles {
  public:
    /// The number of iterations, that of threads, whether there are ranks (on which the same values win where some meet),
    /// and the sizes of all launches.
    using Key = std::vector<std::int64_t>;

    std::shared_ptr<const TiledPlan> find(const Key& key) const { return plans_.find(key); }
    /// Not if it would take too much memory.
    void keep(Key key, std::shared_ptr<const TiledPlan> plan);

  private:
    LastFew<Key, TiledPlan> plans_{tuning::most_known_tiles};
};

}  // namespace sinter::runtime
