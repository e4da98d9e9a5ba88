// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which launches of a run may follow each other in tiles.
#pragma once

#include "run/execute/context.hpp"
#include "run/parts.hpp"
#include "run/plan/plan.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace sinter::runtime {

/// A step of a run.
struct RunLaunch {
    const KernelStep* step = nullptr;
    std::vector<std::int64_t> sizes;             ///< the kernel's size table
    std::shared_ptr<const SharedKernel> kernel;  ///< null if it has no parts

    std::size_t buffers() const { return step->kernel->kernel.buffers.size(); }
    const lower::Buffer& input(std::size_t k) const { return step->kernel->kernel.buffers[k]; }
    const lower::Buffer& output(std::size_t k) const { return input(step->inputs.size() + k); }
    std::int64_t elements(const lower::Buffer& buffer) const { return sizes[buffer.elements.index]; }
    const schedule::PartFacts& facts(bool chunked) const { return chunked ? kernel->reduced() : kernel->points(); }
    /// Whether parts write an output, rather than that partial results are combined to it.
    bool is_written(bool chunked, std::size_t output) const {
        return !chunked || facts(true).reach[step->inputs.size() + output].kind != schedule::Reach::Kind::nothing;
    }
};

/// Steps that are taken together.
struct Members {
    struct Member {
        std::size_t step;
        bool chunked;
    };
    std::vector<Member> steps;
    std::vector<std::size_t> before;  ///< steps between them that need nothing of them

    /// Without the last one.
    void drop_last();
};

class MemberFinder {
  public:
    MemberFinder(const Context& context, const BodyPlan& plan, const LaunchRun& run, const Frame& frame)
        : context_(context), plan_(plan), run_(run), frame_(frame) {}

    /// False where a step fails.
    bool describe_launches();
    /// As many as possible, the first of which is this step; none if it cannot be one.
    Members from(std::size_t first) const;
    const RunLaunch& launch(std::size_t step) const { return launches_[step - run_.first]; }

  private:
    using Ids = std::vector<ValueId>;

    bool is_in_parts(const RunLaunch& launch, const Ids& made) const;
    bool is_in_chunks(const RunLaunch& launch, const Ids& made, const SharedKernel* other) const;
    bool is_own(const RunLaunch& launch, std::size_t output, const schedule::PartFacts& facts) const;
    bool is_alike(const RunLaunch& next, const RunLaunch& first) const;
    static bool reads_parts(const RunLaunch& launch, const schedule::PartFacts& facts, const Ids& made);

    const Context& context_;
    const BodyPlan& plan_;
    const LaunchRun& run_;
    const Frame& frame_;
    std::vector<RunLaunch> launches_;
};

}  // namespace sinter::runtime
