// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A call of a compiled function as it went for these extents: guards hold, and sizes, shapes and bytes are known. Another
/// call with the same extents allocates what the kernels write and launches them.
#pragma once

#include "run/execute/execute.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sinter::runtime {

/// Whether extents alone decide what happens: no control flow, sorts, foreign functions, extents computed on the way,
/// updates in place.
bool is_replayable(const Plan& plan);

class Replay {
  public:
    /// After `call` of a replayable plan has succeeded. `sizes`: all that may have decided for this plan. Null where nothing
    /// but execute() will do for these extents.
    static std::unique_ptr<const Replay> record(std::shared_ptr<const Plan> plan, const ir::SizeTable& sizes,
                                                const Call& call);

    bool fits(std::span<const InputView> inputs) const;
    /// False where a check failed or memory is short: execute() finds that again, and says it.
    bool run(std::span<const InputView> inputs, ResultSink& results) const;

  private:
    class Recorder;
    void find_memory();
    void make_sequence();
    /// A variable's memory: an input's, or an array of this call.
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
        std::vector<std::size_t> dying;  ///< arrays
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

    /// All kernels at once. False: nothing was done.
    bool launch_sequence(void* const* inputs, BufferRef* arrays) const;
    bool launch(const KernelCall& call, void* const* inputs, BufferRef* arrays) const;

    std::shared_ptr<const Plan> plan_;
    Backend* device_ = nullptr;          ///< where kernels use another memory than the host's
    std::vector<std::int64_t> extents_;  ///< of the inputs, one after another
    std::vector<Number> numbers_;
    std::size_t arrays_ = 0;
    std::vector<KernelCall> kernels_;
    std::vector<std::size_t> memory_;           ///< by array: what a sequence gives it, of which some have the same in turn
    std::vector<std::size_t> bytes_;            ///< of that memory
    std::unique_ptr<const Sequence> sequence_;  ///< of the kernels, if the device has use for it
    std::vector<Result> results_;
};

}  // namespace sinter::runtime
