// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the launches of a plan are shared, chosen for all of them together (place/choice/choice.hpp) before anything runs.
#pragma once

#include "place/choice/choice.hpp"
#include "place/share.hpp"
#include "run/ranks/ahead/before_run.hpp"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::runtime {

/// How plans that store more were compared with one (joint.hpp).
struct JointSearch {
    place::Price fused = 0;             ///< what the one takes
    std::size_t tried = 0;              ///< others that were planned,
    std::vector<place::Price> others;   ///< and what those of them take that have the same bits
    std::optional<place::Price> bound;  ///< of those that were not tried: no less; nothing if none can be cheaper
    std::vector<std::string> stored;    ///< what is stored besides, for people: "map at a.cpp:3"
};

class Placement {
  public:
    /// What was chosen for a step; null if nothing was known of it.
    const place::Wish* wish(const KernelStep& step) const {
        const auto found = wishes_.find(&step);
        return found == wishes_.end() ? nullptr : &found->second;
    }
    /// What the launches take, with all that travels; and their work divided among the ranks without a remainder, which is
    /// the least that they can take.
    place::Price price() const { return price_; }
    place::Price bound() const { return bound_; }
    /// What could be saved if another launch made a part of what this one makes: what ranks receive for it; `never` if it
    /// is whole, or needs all of an array.
    place::Price may_gain(const KernelStep& step) const {
        const auto found = may_gain_.find(&step);
        return found == may_gain_.end() ? 0 : found->second;
    }
    /// Lines for people: what it takes, and what other choices would take.
    std::string text() const;
    void tell(JointSearch search) { joint_ = std::move(search); }

  private:
    friend class PlacementFinder;
    std::unordered_map<const KernelStep*, place::Wish> wishes_;
    std::unordered_map<const KernelStep*, place::Price> may_gain_;
    place::Price price_ = 0, unshared_ = 0, bound_ = 0;
    bool is_best_ = true, any_ = false;
    std::optional<JointSearch> joint_;
};

Placement choose_placement(const BeforeRun& known, const SharedOf& shared_of);

/// A result of a launch that can be in blocks.
struct Travelling {
    const BodyPlan* body;
    ir::ValueId id;
    place::Price price;     ///< at least, if it is: to gather it, or for its readers to receive what each of them reads
    place::Price received;  ///< at least, by those who make it, if all that they read is in blocks
    place::Price launch;    ///< of those that share it, besides its work
};
std::vector<Travelling> travelling(const BeforeRun& known, const SharedOf& shared_of);

}  // namespace sinter::runtime
