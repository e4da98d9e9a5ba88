// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the launches of a plan are shared, chosen for all of them together (place/choice/choice.hpp) before anything runs.
#pragma once

#include "place/choice/choice.hpp"
#include "place/share.hpp"
#include "run/ranks/ahead/before_run.hpp"

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sinter::runtime {

class Placement {
  public:
    /// What was chosen for a step; null if nothing was known of it.
    const place::Wish* wish(const KernelStep& step) const {
        const auto found = wishes_.find(&step);
        return found == wishes_.end() ? nullptr : &found->second;
    }
    /// A line for people: what it takes, and would take if nothing were shared.
    std::string text() const;

  private:
    friend class PlacementFinder;
    std::unordered_map<const KernelStep*, place::Wish> wishes_;
    place::Price price_ = 0, unshared_ = 0;
    bool is_best_ = true, any_ = false;
};

Placement choose_placement(const BeforeRun& known, const SharedOf& shared_of);

/// The placements of a plan for the latest extents and layouts of its inputs. Only one thread of a program shares launches.
class Placements {
  public:
    std::shared_ptr<const Placement> find(const Plan& plan, const Call& call);

  private:
    struct Entry {
        std::vector<std::int64_t> key;
        std::shared_ptr<const Placement> placement;
    };
    /// Everything that a choice depends on, besides the plan.
    std::vector<std::int64_t> key_of(const Plan& plan, const Call& call);

    std::optional<std::vector<std::size_t>> numbers_;  ///< inputs that say how often loops run, or how large something is
    std::list<Entry> entries_;
};

}  // namespace sinter::runtime
