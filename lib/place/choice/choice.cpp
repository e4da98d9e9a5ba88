// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "place/choice/choice.hpp"

#include "place/choice/min_cut.hpp"
#include "place/tuning.hpp"

#include <algorithm>
#include <utility>

namespace sinter::place {

namespace {

using Ways = std::vector<std::size_t>;  ///< by launch: the way in which it is shared, if it is

/// The cut, where a launch that is on is shared, and an array that is on is in blocks.
class Cut {
  public:
    Cut(const Choices& choices, const Ways& ways) : ways_(ways) {
        for (std::size_t k = 0; k < choices.arrays; ++k) arrays_.push_back(cut_.node());
        meeting_ = cut_.node();
        cut_.pay_on(meeting_, choices.meeting);
        for (std::size_t k = 0; k < choices.arrays; ++k) {
            if (choices.replicated[k]) cut_.pay_on(arrays_[k], never);
            if (choices.given[k]) cut_.pay_off(arrays_[k], *choices.given[k]);
        }
        for (std::size_t k = 0; k < choices.launches.size(); ++k) add(choices.launches[k], ways[k]);
        for (const Becomes& b : choices.becomes) cut_.pay(arrays_[b.from], arrays_[b.to], b.gathering);
    }

    Choice solve() {
        const std::vector<bool> on = cut_.solve();
        Choice choice;
        for (std::size_t node : arrays_) choice.in_blocks.push_back(on[node]);
        for (std::size_t k = 0; k < launches_.size(); ++k)
            choice.ways.push_back(on[launches_[k]] ? std::optional(ways_[k]) : std::nullopt);
        choice.price = cut_.price();
        return choice;
    }

  private:
    void add(const ChoiceOfLaunch& launch, std::size_t way) {
        const std::size_t node = cut_.node();
        launches_.push_back(node);
        cut_.pay_off(node, launch.whole);
        if (launch.ways.empty()) {
            cut_.pay_on(node, never);
            for (std::size_t array : launch.reads) cut_.pay_on(arrays_[array], never);
            for (std::size_t array : launch.writes) cut_.pay_on(arrays_[array], never);
            return;
        }
        const WayOfLaunch& shared = launch.ways[way];
        cut_.pay_on(node, shared.work);
        cut_.pay(node, meeting_, never);
        for (const Read& read : shared.reads) {
            cut_.pay_on(arrays_[read.array], read.received);
            cut_.pay(arrays_[read.array], node, never - read.received);
        }
        for (const Write& write : shared.writes) {
            if (!write.in_blocks) cut_.pay_on(arrays_[write.array], never);
            cut_.pay(arrays_[write.array], node, never);
            if (write.in_blocks) cut_.pay(node, arrays_[write.array], write.gathering);
        }
    }

    const Ways& ways_;
    MinCut cut_;
    std::vector<std::size_t> arrays_, launches_;
    std::size_t meeting_ = 0;
};

/// The next of all combinations of ways; false after the last.
bool advance(const Choices& choices, Ways& ways) {
    for (std::size_t k = 0; k < ways.size(); ++k) {
        if (ways[k] + 1 < choices.launches[k].ways.size()) return ++ways[k], true;
        ways[k] = 0;
    }
    return false;
}

/// Changes one way at a time, as long as that helps.
Choice improve(const Choices& choices, Ways ways) {
    Choice best = Cut(choices, ways).solve();
    for (bool better = true; better;) {
        better = false;
        for (std::size_t k = 0; k < ways.size(); ++k)
            for (std::size_t way = 0; way < choices.launches[k].ways.size(); ++way) {
                const std::size_t before = std::exchange(ways[k], way);
                Choice other = Cut(choices, ways).solve();
                if (other.price < best.price)
                    best = std::move(other), better = true;
                else
                    ways[k] = before;
            }
    }
    best.is_best = false;
    return best;
}

}  // namespace

Choice choose(const Choices& choices) {
    double combinations = 1;
    for (const ChoiceOfLaunch& launch : choices.launches)
        combinations *= static_cast<double>(std::max<std::size_t>(1, launch.ways.size()));
    Ways ways(choices.launches.size());
    if (combinations > tuning::most_combinations) return improve(choices, std::move(ways));
    Choice best = Cut(choices, ways).solve();
    while (advance(choices, ways)) {
        Choice other = Cut(choices, ways).solve();
        if (other.price < best.price) best = std::move(other);
    }
    return best;
}

Price price_of(const Choices& choices, const Choice& choice) {
    Price price = 0;
    auto in_blocks = [&](std::size_t array) { return choice.in_blocks[array]; };
    for (std::size_t k = 0; k < choices.arrays; ++k) {
        if (in_blocks(k) && choices.replicated[k]) price += never;
        if (!in_blocks(k) && choices.given[k]) price += *choices.given[k];
    }
    bool meets = false;
    for (std::size_t k = 0; k < choices.launches.size(); ++k) {
        const ChoiceOfLaunch& launch = choices.launches[k];
        if (!choice.ways[k]) {
            price += launch.whole;
            for (std::size_t array : launch.reads) price += in_blocks(array) ? never : 0;
            for (std::size_t array : launch.writes) price += in_blocks(array) ? never : 0;
            continue;
        }
        const WayOfLaunch& way = launch.ways[*choice.ways[k]];
        meets = true;
        price += way.work;
        for (const Read& read : way.reads) price += in_blocks(read.array) ? read.received : 0;
        for (const Write& write : way.writes) {
            if (in_blocks(write.array) && !write.in_blocks) price += never;
            if (!in_blocks(write.array) && write.in_blocks) price += write.gathering;
        }
    }
    for (const Becomes& b : choices.becomes) price += in_blocks(b.from) && !in_blocks(b.to) ? b.gathering : 0;
    return price + (meets ? choices.meeting : 0);
}

}  // namespace sinter::place
