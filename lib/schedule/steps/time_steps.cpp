// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule/steps/time_steps.hpp"

#include "schedule/steps/bounds.hpp"
#include "schedule/tasks.hpp"
#include "schedule/tuning.hpp"

#include <utility>

namespace sinter::schedule {

namespace {

/// The value that a name of iteration `step` stands for: a state is what the iteration before has left.
Made resolve(const Iteration& iteration, Made name) {
    while (name.value < iteration.states && name.step > 1) name = {name.step - 1, iteration.results[name.value]};
    if (name.value < iteration.states) name.step = 0;
    return name;
}

/// From the last launch back to the first: what is needed of its outputs decides which of its indices are executed, and so
/// what is needed of its inputs.
class Backward {
  public:
    Backward(const Iteration& iteration, std::size_t steps, TileOfSteps& tile)
        : iteration_(iteration), steps_(steps), tile_(tile) {
        tile_.needed.assign(steps + 1, std::vector<Interval>(iteration.values.size()));
    }

    void need(Made name, const Interval& elements) {
        const Made made = resolve(iteration_, name);
        Interval& all = tile_.needed[made.step][made.value];
        all = hull(all, elements);
    }

    void run() {
        for (std::size_t step = steps_; step > 0; --step)
            for (std::size_t k = iteration_.launches.size(); k-- > 0;) launch(step, k);
        std::reverse(tile_.parts.begin(), tile_.parts.end());
    }

  private:
    void launch(std::size_t step, std::size_t k) {
        const StepLaunch& launch = iteration_.launches[k];
        const std::size_t inputs = launch.reads.size();
        Interval indices;
        bool is_needed = false;
        for (std::size_t o = 0; o < launch.writes.size(); ++o) {
            const Interval& elements = tile_.needed[step][launch.writes[o]];
            is_needed = is_needed || !elements.empty();
            indices = hull(indices, launch.facts.reach[inputs + o].indices(elements, launch.facts.extent));
        }
        if (!is_needed) return;
        if (!indices.empty() && indices.length() < launch.least) {
            indices.begin = std::max<std::int64_t>(0, std::min(indices.begin, launch.facts.extent - launch.least));
            indices.end = std::min(launch.facts.extent, indices.begin + launch.least);
        }
        for (std::size_t o = 0; o < launch.writes.size(); ++o) {
            Interval& elements = tile_.needed[step][launch.writes[o]];
            elements =
                hull(elements, launch.facts.reach[inputs + o].of(indices, iteration_.values[launch.writes[o]].elements));
            if (const auto copied = launch.copied(o); copied && launch.reads[*copied])
                need({step, *launch.reads[*copied]}, elements);
        }
        for (std::size_t k = 0; k < inputs; ++k)
            if (const auto value = launch.reads[k])
                need({step, *value}, launch.facts.reach[k].of(indices, iteration_.values[*value].elements));
        tile_.parts.push_back({step, k, indices});
    }

    const Iteration& iteration_;
    const std::size_t steps_;
    TileOfSteps& tile_;
};

/// Elements that belong to one index of the launch that makes a value; 1 of a state that none makes.
std::int64_t elements_of_index(const Iteration& iteration, std::size_t value) {
    for (const StepLaunch& launch : iteration.launches)
        for (std::size_t o = 0; o < launch.writes.size(); ++o)
            if (launch.writes[o] == value) return launch.facts.reach[launch.reads.size() + o].slope;
    return 1;
}

}  // namespace

TimeSteps::TimeSteps(const Iteration& iteration, std::size_t steps, std::int64_t rows)
    : iteration_(&iteration), steps_(steps), rows_(rows) {
    for (std::size_t k = 0; k < iteration.states; ++k) {
        results_.push_back(resolve(iteration, {steps + 1, k}));
        row_elements_.push_back(elements_of_index(iteration, results_[k].value));
        if (!is_constant(k)) all_rows_ = std::max(all_rows_, ceil_div(iteration.values[k].elements, row_elements_[k]));
    }
    const Iteration::Unit& unit = iteration.unit;
    const std::int64_t units = unit.units > 0 ? unit.units : all_rows_;
    const std::int64_t of_tile = std::clamp<std::int64_t>(rows / unit.rows, 1, std::max<std::int64_t>(1, units));
    rows_ = of_tile * unit.rows;
    tiles_ = ceil_div(units, of_tile);
}

Made TimeSteps::made(Made name) const { return resolve(*iteration_, name); }

TileOfSteps TimeSteps::tile(std::int64_t tile) const {
    TileOfSteps made;
    Backward backward(*iteration_, steps_, made);
    for (std::size_t k = 0; k < iteration_->states; ++k) {
        const std::int64_t elements = iteration_->values[k].elements;
        const std::int64_t end = tile + 1 == tiles_ ? elements : (tile + 1) * rows_ * row_elements_[k];
        Interval own{std::min(elements, tile * rows_ * row_elements_[k]), std::min(elements, end)};
        if (is_constant(k)) own = {};
        made.results.push_back(own);
        backward.need({steps_ + 1, k}, own);
    }
    backward.run();
    return made;
}

namespace {

/// Memory is used again once nothing reads what is there.
class Places {
  public:
    Places(const Iteration& iteration, const TimeSteps& steps, const std::vector<TileOfSteps>& tiles)
        : iteration_(iteration), steps_(steps), tiles_(tiles), launches_(iteration.launches.size()) {
        find_last_uses();
    }

    TileMemory run() {
        memory_.offsets.assign(steps_.steps() + 1, std::vector<std::int64_t>(iteration_.values.size(), -1));
        memory_.first.assign(steps_.steps() + 1, std::vector<Made>(iteration_.values.size()));
        for (std::size_t step = 1; step <= steps_.steps(); ++step)
            for (std::size_t k = 0; k < launches_; ++k)
                for (std::size_t o = 0; o < iteration_.launches[k].writes.size(); ++o)
                    if (!take(step, k, o)) place({step, iteration_.launches[k].writes[o]}, when(step, k));
        std::int64_t begin = 0;
        for (Slot& slot : slots_) {
            slot.begin = begin;
            begin += ceil_div(slot.bytes + line, local_alignment) * local_alignment + stagger;
        }
        for (auto& of_step : memory_.offsets)
            for (std::int64_t& offset : of_step)
                if (offset >= 0) offset = slots_[static_cast<std::size_t>(offset)].begin;
        memory_.bytes = begin;
        return std::move(memory_);
    }

  private:
    static constexpr auto line = static_cast<std::int64_t>(tuning::cache_line);
    static constexpr std::int64_t stagger = 5 * 64 * 7;  ///< else rows of all slots begin in the same sets of the caches
    struct Slot {
        std::int64_t bytes = 0;
        std::size_t free_at = 0;
        std::int64_t begin = 0;
    };

    std::size_t when(std::size_t step, std::size_t launch) const { return (step - 1) * launches_ + launch; }

    void find_last_uses() {
        last_.assign(steps_.steps() + 1, std::vector<std::size_t>(iteration_.values.size()));
        for (std::size_t step = 1; step <= steps_.steps(); ++step)
            for (std::size_t k = 0; k < launches_; ++k)
                for (const auto& value : iteration_.launches[k].reads) {
                    if (!value) continue;
                    const Made made = resolve(iteration_, {step, *value});
                    last_[made.step][made.value] = when(step, k);
                }
    }

    /// Puts an output where an input is that nothing reads afterwards, if the launch permits it. One that begins as a copy
    /// of that input needs no copy there.
    bool take(std::size_t step, std::size_t k, std::size_t output) {
        const StepLaunch& launch = iteration_.launches[k];
        const auto input = launch.taken(output);
        if (!input || !launch.reads[*input]) return false;
        const Made from = resolve(iteration_, {step, *launch.reads[*input]}), to{step, launch.writes[output]};
        const auto reads = std::count_if(launch.reads.begin(), launch.reads.end(), [&](const auto& value) {
            return value && resolve(iteration_, {step, *value}) == from;
        });
        const std::int64_t slot = memory_.offsets[from.step][from.value];
        if (from.step == 0 || slot < 0 || reads != 1 || last_[from.step][from.value] != when(step, k)) return false;
        memory_.offsets[to.step][to.value] = slot;
        memory_.first[to.step][to.value] = memory_.first[from.step][from.value];
        slots_[static_cast<std::size_t>(slot)].free_at = std::max(last_[to.step][to.value], when(step, k)) + 1;
        return true;
    }

    void place(Made made, std::size_t now) {
        std::int64_t bytes = 0;
        for (const TileOfSteps& tile : tiles_)
            bytes = std::max(bytes, tile.needed[made.step][made.value].length() * iteration_.values[made.value].bytes_each);
        if (bytes == 0) return;
        Slot* best = nullptr;
        for (Slot& slot : slots_)
            if (slot.free_at <= now && (!best || std::abs(slot.bytes - bytes) < std::abs(best->bytes - bytes))) best = &slot;
        if (!best) best = &slots_.emplace_back();
        best->bytes = std::max(best->bytes, bytes);
        best->free_at = std::max(last_[made.step][made.value], now) + 1;
        memory_.offsets[made.step][made.value] = best - slots_.data();
        memory_.first[made.step][made.value] = made;
    }

    const Iteration& iteration_;
    const TimeSteps& steps_;
    const std::vector<TileOfSteps>& tiles_;
    const std::size_t launches_;
    std::vector<std::vector<std::size_t>> last_;  ///< by step and value: when it is read last
    std::vector<Slot> slots_;
    TileMemory memory_;
};

}  // namespace

TileMemory memory_of(const Iteration& iteration, const TimeSteps& steps, const std::vector<TileOfSteps>& tiles) {
    return Places(iteration, steps, tiles).run();
}

}  // namespace sinter::schedule
