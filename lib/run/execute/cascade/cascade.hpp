// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Cascades: launches that follow each other tile by tile, so that what they leave to each other stays in a near cache and
/// need not be in memory as a whole.
///
/// Fusion puts into one kernel what one kernel does well. A product that goes through register tiles and a fold of its rows
/// are better as two, for instance; but between them is a matrix. In a cascade, threads take tiles of rows, and in a tile
/// parts of the launches follow each other (schedule/steps/time_steps.hpp, with one iteration). Parts are those that ranks
/// would take (run/parts.hpp), and bits are those of the whole launches. Launches may be cut into chunks, of a fold or of
/// points that update the same elements: then tiles end where chunks do, and partial results are combined afterwards.
#pragma once

#include "run/execute/cascade/chunk_parts.hpp"
#include "run/execute/tiled/tiles.hpp"
#include "run/tuning.hpp"
#include "support/cache/last_few.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace sinter::runtime {

struct Cascade {
    /// An input of a launch that is made by none of them.
    struct Source {
        std::size_t launch, input;
        ValueId variable;
    };
    /// A launch that is cut into chunks. Memory for partial results is behind its inputs.
    struct Chunked {
        std::size_t launch;
        std::shared_ptr<const ChunkParts> parts;
    };

    std::size_t first = 0, last = 0;  ///< steps of the body
    std::vector<std::size_t> before;  ///< those among them that need nothing of the others: they are executed first
    TiledLaunches body;               ///< its states: what parts make and somebody needs afterwards
    std::vector<ValueId> results;     ///< by state; not valid: the points of a launch in chunks
    std::vector<Source> sources;
    std::vector<Chunked> chunked;
    schedule::StepsChoice choice;
    std::optional<TiledRound> round;
};

/// Those of a run that pay, in order.
using Cascades = std::vector<std::unique_ptr<const Cascade>>;

/// What has been found out about a run. Thread-safe.
class KnownCascades {
  public:
    /// The number of threads and all extents on which launches depend.
    using Key = std::vector<std::int64_t>;

    std::shared_ptr<const Cascades> find(const Key& key) const { return known_.find(key); }
    void keep(Key key, std::shared_ptr<const Cascades> cascades) { known_.keep(std::move(key), std::move(cascades)); }

  private:
    LastFew<Key, Cascades> known_{tuning::most_known_cascades};
};

/// `frame`: before the first step of the run.
std::shared_ptr<const Cascades> find_cascades(const Context& context, const BodyPlan& plan, const LaunchRun& run,
                                              const Frame& frame);

}  // namespace sinter::runtime
