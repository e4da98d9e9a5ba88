// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A recorded call of a compiled function for certain extents: guards hold, and sizes, shapes and bytes are known. Another
/// call with the same extents only allocates what the kernels write and launches them.
#pragma once

#include "run/execute/execute.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sinter::runtime {

/// True if extents alone decide what happens: no control flow, sorts, foreign functions, extents that are computed on the
/// way, or updates in place.
bool is_replayable(const Plan& plan);

class Replay {
  public:
    /// Records `call`, which has succeeded, of a replayable plan. `sizes`: everything that may have decided for this plan.
    /// Null if these extents need execute().
    static std::unique_ptr<const Replay> record(std::shared_ptr<const Plan> plan, const ir::SizeTable& sizes,
                                                const Call& call);

    bool fits(std::span<const InputView> inputs) const;
    /// Returns false if a check failed or memory is short: execute() then finds and reports that again.
    bool run(std::span<const InputView> inputs, ResultSink& results) const;

  private:
    class Recorder;
    void find_memory();
    void make_sequence();
    /// The memory of a variable: that of an input, or an array of this call.
    struct Place {
        bool input;
        std::size_t index;
        bool operator==(const Place&) const = default;
    };
    struct Output {
        std::size_t array;
        std::size_t bytes;
    };
    struct KernelCall {
        std::unique_ptr<const BoundKernel> code;
        std::vector<Place> reads;
        std::vector<Output> writes;
        std::vector<std::size_t> dying;  ///< arrays that die
    };
    struct Result {
        Place place;
        bool last;  ///< no later result is the same array
        std::vector<std::int64_t> shape;
    };
    /// An input whose value is an extent.
    struct Number {
        std::size_t input;
        std::int64_t value;
    };

    /// Launches all kernels at once. Returns false if nothing was done.
    bool launch_sequence(void* const* inputs, BufferRef* arrays) const;
    bool launch(const KernelCall& call, void* const* inputs, BufferRef* arrays) const;

    std::shared_ptr<const Plan> plan_;
    Backend* device_ = nullptr;          ///< set if kernels use other memory than the host's
    std::vector<std::int64_t> extents_;  ///< of the inputs, one after another
    std::vector<Number> numbers_;
    std::size_t arrays_ = 0;
    std::vector<KernelCall> kernels_;
    std::vector<std::size_t> memory_;           ///< by array: its number in the memory of a sequence, which some arrays
                                                ///< share one after the other
    std::vector<std::size_t> bytes_;            ///< sizes of that memory
    std::unique_ptr<const Sequence> sequence_;  ///< of the kernels, if the device can use one
    std::vector<Result> results_;
};

}  // namespace sinter::runtime
