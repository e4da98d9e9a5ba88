// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known of a plan and a call before anything runs, for placement.hpp and forecast.hpp.
#pragma once

#include "place/layout.hpp"
#include "run/execute/execute.hpp"
#include "run/parts.hpp"
#include "run/plan/plan.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace sinter::runtime {

/// The shared form of a step's kernel with these sizes; null if it has none.
using SharedOf = std::function<std::shared_ptr<const SharedKernel>(const KernelStep&, const std::int64_t* sizes)>;

/// Refers to what it is made of. `sizes`: of the program, estimated where data decide.
class BeforeRun {
  public:
    BeforeRun(const Plan& of, const Call& with, const std::vector<std::int64_t>& sizes, int among)
        : plan(of), call(with), ranks(among), sizes_(sizes) {}

    const Plan& plan;
    const Call& call;
    const int ranks;

    std::int64_t extent(ir::SizeId id) const { return sizes_[id.index]; }
    /// That of an array if it is in blocks.
    place::Layout layout_of(const ir::Type& type) const;
    /// Where the process is alone, all arrays that are large enough are taken to be in blocks.
    place::Layout layout_of_input(std::size_t k) const;
    std::vector<std::int64_t> kernel_sizes(const KernelStep& step) const;
    bool shares(const SortStep& step, const BodyPlan& body) const;

    /// Notes what a kernel without inputs stores as its only number, such as how often a loop runs.
    void note_number(const KernelStep& step);
    /// How often a loop runs; nothing if that is not known.
    std::optional<std::int64_t> count_of(const LoopStep& step) const;

  private:
    const std::vector<std::int64_t>& sizes_;
    std::map<ir::ValueId, std::int64_t> numbers_;  ///< that kernels store
};

}  // namespace sinter::runtime
