// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The instructions of a kernel that the card executes in its own way: loops that a team shares, checks, remainders, and
/// effects outside shared loops, which one thread executes.
#pragma once

#include "jit/gpu/emit/point.hpp"
#include "jit/gpu/emit/update/scattered.hpp"

#include <optional>

namespace sinter::gpu {

class Bins;
class Notes;

class Instructions final : public emit::Special {
  public:
    explicit Instructions(Point& point) : scattered(point), point_(point) { point.emitter.special = this; }

    std::optional<Values> emit(const Inst& inst) override;

    Scattered scattered;     ///< takes stores at which threads may meet
    Bins* bins = nullptr;    ///< takes the kernel's update, or null
    Notes* notes = nullptr;  ///< takes the kernel's update, or null

  private:
    /// True for a loop of the body itself, which the team executes together.
    bool is_shared(const Inst& loop) const { return point_.is_same_in_team() && point_.schedule.find(loop); }
    std::optional<Values> shared_loop(const Inst& loop);
    std::optional<Values> remainder(const Inst& inst);
    void store(const Inst& inst);
    void update(const Inst& inst);

    Point& point_;
};

}  // namespace sinter::gpu
