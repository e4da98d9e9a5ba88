// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the accesses in the body of a sequential loop have in common with those of other steps and of other lanes.
#pragma once

#include "schedule/facts/pattern.hpp"

#include <functional>
#include <vector>

namespace sinter::schedule {

class LoopAccesses {
  public:
    /// `environment`: how the locals around the loop vary from lane to lane. If `past_checks`, offsets that are known are
    /// those that pass their checks.
    LoopAccesses(const lower::Kernel& kernel, const ControlFlow& control, const lower::Inst& loop,
                 const std::vector<Pattern>& environment, bool past_checks);

    const lower::Block& body() const { return body_; }
    /// That of the loop's counter.
    std::size_t level() const { return level_; }
    const Pattern& by_lane(ir::Local local) const { return by_lane_[local.index]; }
    const Pattern& by_step(ir::Local local) const { return by_step_[local.index]; }
    /// True if steps do not need each other to find this local: it is index arithmetic on the loop's counter.
    bool is_known(ir::Local local) const { return known_[local.index]; }
    /// Marks the instructions of the body that are needed to find a known local.
    void need(ir::Local local, std::vector<bool>& marked) const;

  private:
    void find_known(bool past_checks);

    const lower::Block& body_;
    const std::size_t level_;
    std::vector<Pattern> by_lane_, by_step_;  ///< of all locals, by what they vary with
    std::vector<bool> known_;                 ///< by local
};

/// Calls visit(loop, environment) for each for_loop of the kernel's body that all lanes leave together, if the innermost
/// parallel axis has lanes.
void each_loop_of_lanes(const lower::Kernel& kernel, const ControlFlow& control,
                        const std::function<void(const lower::Inst&, const std::vector<Pattern>&)>& visit);

}  // namespace sinter::schedule
