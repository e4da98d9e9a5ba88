// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What ranks execute for a plan, for its latest extents and layouts.
#pragma once

#include "run/ranks/ahead/placement.hpp"

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <vector>

namespace sinter::runtime {

struct Placed {
    std::shared_ptr<const Plan> plan;  ///< one that stores more (joint.hpp); null if it is the plan that was asked for
    std::shared_ptr<const Placement> placement;
};

/// How ranks share a plan, and whether they had better store more. Chosen without messages.
Placed place_alone(const Plan& plan, const Call& call, int ranks, Backend& host);

/// The placements of a plan for the latest extents and layouts of its inputs. Only one thread of a program shares launches.
class Placements {
  public:
    /// All ranks call it. Where there is something that could be stored besides, rank 0 finds out, and tells the others.
    Placed find(const Plan& plan, const Call& call);

  private:
    struct Entry {
        std::vector<std::int64_t> key;
        Placed placed;
    };
    /// Everything that a choice depends on, besides the plan.
    std::vector<std::int64_t> key_of(const Plan& plan, const Call& call);

    std::optional<std::vector<std::size_t>> numbers_;  ///< inputs that say how often loops run, or how large something is
    std::list<Entry> entries_;
};

}  // namespace sinter::runtime
