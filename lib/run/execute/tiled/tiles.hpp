// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches that follow each other in tiles of space (schedule/steps/time_steps.hpp): threads take tiles; in a tile, parts
/// of launches follow each other, and what they leave to each other is in memory of the thread.
#pragma once

#include "run/execute/context.hpp"
#include "run/parts.hpp"
#include "schedule/steps/time_steps.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace sinter::runtime {

/// By launch and input buffer: what no iteration changes; null for the number of the iteration.
using Outside = std::vector<std::vector<const void*>>;

/// An iteration, and what is launched for it.
struct TiledLaunches {
    struct Launched {
        const KernelStep* step;
        std::shared_ptr<const PartKernel> kernel;
        std::vector<std::int64_t> ahead{};  ///< by buffer: bytes by which what is launched is ahead of where it is; or empty
    };

    schedule::Iteration iteration;
    std::vector<Launched> launches;

    std::int64_t bytes_each(std::size_t value) const { return iteration.values[value].bytes_each; }
};

/// So many iterations on all tiles.
class TiledRound {
  public:
    TiledRound(const TiledLaunches& body, std::size_t steps, std::int64_t rows);

    std::size_t steps() const { return plan_.steps(); }
    /// Of all tiles.
    std::size_t parts() const;
    bool is_constant(std::size_t state) const { return plan_.is_constant(state); }

    /// From `from` to `to`, by state; `first` is the number of the first iteration. What a failed check leaves behind means
    /// nothing.
    void run(const std::vector<void*>& from, const std::vector<void*>& to, const Outside& outside, std::int64_t first,
             const Context& context, ErrorSlot& error) const;

  private:
    /// An address that is known once a round has its memory: so many bytes from a base.
    struct Place {
        /// Bases: the thread's memory, then the states before, those after, and what comes from outside, launch by launch.
        static constexpr std::size_t memory = 0, first_state = 1;
        std::size_t base;
        std::int64_t bytes;
        bool operator==(const Place&) const = default;
    };
    struct Copy {
        Place from, to;
        std::size_t bytes;
    };
    struct PreparedPart {
        const PartKernel* kernel;
        std::int64_t step;  ///< its iteration, of those of the round
        schedule::Interval indices;
        bool kept;                   ///< what is written is read soon
        std::vector<Place> buffers;  ///< where element 0 would be
        std::vector<Copy> before, after;
    };
    class Preparing;

    /// `number`: where launches find the number of the iteration.
    static void run_tile(const std::vector<PreparedPart>& tile, const std::vector<char*>& bases, std::int64_t first,
                         std::int64_t& number, ErrorSlot& error);

    const TiledLaunches& body_;
    const schedule::Iteration& iteration_;
    schedule::TimeSteps plan_;
    schedule::TileMemory memory_;
    std::vector<std::vector<PreparedPart>> tiles_;
};

/// The rows of tiles that the user wants.
std::optional<std::int64_t> wanted_rows();
/// Those of the processor.
const schedule::Caches& near_caches();

/// The size table of a launch; nothing where the launch does nothing, or makes too much.
std::optional<std::vector<std::int64_t>> sizes_of_launch(const KernelStep& step, const std::vector<std::int64_t>& arguments);

/// Whether points of a launch have memory of their own.
bool has_local_buffers(const KernelStep& step);

/// The bytes of the memory that these variables are in: no fewer than theirs.
double bytes_of_memory(const std::vector<ValueId>& variables, const Frame& frame);

}  // namespace sinter::runtime
