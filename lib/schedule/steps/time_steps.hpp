// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Several iterations of a loop of stencils, tile by tile: a tile of the states goes through all of them while it is in a
/// near cache, so that memory, or a farther cache, is read and written once for several steps.
///
/// A tile is a range of the states' outermost axis. What its last step needs of the step before is a little more, and so on
/// back to the first: tiles overlap, and what lies in two of them is computed twice, with the same bits ("overlapped
/// tiling": Krishnamoorthy et al., "Effective Automatic Parallelization of Stencil Computations", PLDI 2007, section 4). So
/// tiles are independent of each other and need no order, unlike those that are skewed along time. Which elements a step
/// needs is found for each launch from where it reads (reach.hpp), whatever the boundaries; a part that reads from anywhere,
/// as a sum over the state does, needs all of it, and then no tile pays.
#pragma once

#include "schedule/steps/reach.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinter::schedule {

/// A launch of an iteration.
struct StepLaunch {
    PartFacts facts;
    std::vector<std::optional<std::size_t>> reads;        ///< by input buffer: the value, or none: what no iteration changes
    std::vector<std::size_t> writes;                      ///< by output buffer
    std::vector<double> bytes_read;                       ///< by input buffer: of all of it
    double work = 0;                                      ///< of the whole launch, in vector instructions
    std::vector<std::optional<std::size_t>> copies = {};  ///< by output buffer: the input buffer that it begins as a copy of

    std::vector<std::optional<std::size_t>> takes = {};  ///< by output buffer: the input buffer whose memory it may have
    std::int64_t least = 1;                              ///< indices that a part has at least, if there are as many
    double work_of_part = 0;                             ///< of every part, besides its share of the work

    /// The input that the output begins as a copy of.
    std::optional<std::size_t> copied(std::size_t output) const { return copies.empty() ? std::nullopt : copies[output]; }
    std::optional<std::size_t> taken(std::size_t output) const { return takes.empty() ? std::nullopt : takes[output]; }
};

/// An iteration. Values are the states before it, then what it makes.
struct Iteration {
    struct Value {
        std::int64_t elements;
        std::int64_t bytes_each;
    };
    /// Rows that a tile does not divide; the last of `units` may have more, or fewer. No units: as many as there are.
    struct Unit {
        std::int64_t rows = 1, units = 0;
    };

    std::size_t states = 0;
    Unit unit = {};
    std::vector<Value> values;
    std::vector<StepLaunch> launches;
    std::vector<std::size_t> results;  ///< the values that are the states after it
};

/// A value of one of several iterations; the states before the first are those of iteration 0.
struct Made {
    std::size_t step, value;
    bool operator==(const Made&) const = default;
};

/// So many iterations on the tile [tile, tile + 1) of `tiles`.
struct TileOfSteps {
    /// A launch: of iteration `step`, for these indices of its outermost axis. Before it, what is needed of outputs that
    /// begin as copies is copied, if the part does not write it; where there are no indices, that is all.
    struct Part {
        std::size_t step, launch;
        Interval indices;
    };
    std::vector<Part> parts;                    ///< in the order of execution
    std::vector<std::vector<Interval>> needed;  ///< by step and value: elements that are made or, of states before, read
    std::vector<Interval> results;              ///< by state: what the tile contributes
};

class TimeSteps {
  public:
    /// `rows`: of the longest state's outermost axis, per tile; whole units, rounded down, but at least one.
    TimeSteps(const Iteration& iteration, std::size_t steps, std::int64_t rows);

    std::size_t steps() const { return steps_; }
    std::int64_t rows() const { return rows_; }
    std::int64_t tiles() const { return tiles_; }
    TileOfSteps tile(std::int64_t tile) const;
    /// The value that a name of iteration `step` stands for.
    Made made(Made name) const;
    /// Which value a state is in the end; one of iteration 0: it was not changed.
    Made result(std::size_t state) const { return results_[state]; }
    /// Whether a state only stays what it is.
    bool is_constant(std::size_t state) const { return iteration_->results[state] == state; }

  private:
    const Iteration* iteration_;
    std::size_t steps_;
    std::int64_t rows_, all_rows_ = 0, tiles_ = 0;
    std::vector<Made> results_;
    std::vector<std::int64_t> row_elements_;  ///< by state
};

/// Where the values of a tile lie in the memory that a thread has for it. The same for all tiles, but for the distance of a
/// value's first element from the beginning of a cache line, which is as in the whole array.
struct TileMemory {
    std::int64_t bytes = 0;
    std::vector<std::vector<std::int64_t>> offsets;  ///< by step and value; -1: not kept there
    /// By step and value that is kept: the value that had its memory first, whose first element in a tile is at the offset.
    std::vector<std::vector<Made>> first;
};
TileMemory memory_of(const Iteration& iteration, const TimeSteps& steps, const std::vector<TileOfSteps>& tiles);

/// How a loop is executed.
struct StepsChoice {
    std::size_t steps = 1;  ///< at once; 1: as a plain loop
    std::int64_t rows = 0;
    double price = 0, plain_price = 0;  ///< of an iteration, in vector instructions of one thread
    double bytes = 0, plain_bytes = 0;  ///< of an iteration: to and from memory
};
/// Bytes of a processor's nearest cache, and of the next one.
struct Caches {
    std::int64_t first = 32 << 10, second = 512 << 10;
};

/// False if the nearest cache keeps states of so many bytes from step to step anyway, or if a loop of `count` iterations is
/// so short that a choice would take longer than it gains: then none need be made.
bool may_be_stepped(double bytes, std::int64_t count, const Caches& caches);
/// For a loop of `count` iterations. `rows`: of tiles that are wanted whatever they cost.
StepsChoice choose_steps(const Iteration& iteration, std::int64_t count, int threads, const Caches& caches = {},
                         std::optional<std::int64_t> rows = {});

/// For one iteration that makes more than a cache holds, and reads it again, as sweeps there and back do: the rows of its
/// tiles; 0 where they do not pay.
StepsChoice choose_rows(const Iteration& iteration, int threads, const Caches& caches = {},
                        std::optional<std::int64_t> rows = {});

/// For launches that follow each other once, and leave arrays to each other that a near cache does not hold; likewise.
StepsChoice choose_rows_of_cascade(const Iteration& iteration, int threads, const Caches& caches = {},
                                   std::optional<std::int64_t> rows = {});

/// "tiles of 32 rows, 5 steps at once: 1.2e6 against 3.1e6, 61 MB against 201 MB a step"
std::string print(const StepsChoice& choice);

}  // namespace sinter::schedule
