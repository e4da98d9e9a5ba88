// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of a plan, executed on layouts instead of arrays.
#include "run/ranks/ahead/forecast.hpp"

#include "run/execute/host_steps.hpp"
#include "run/explain/extents.hpp"
#include "run/ranks/ahead/before_run.hpp"
#include "run/ranks/ahead/describe.hpp"
#include "run/ranks/ahead/placements.hpp"
#include "support/match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace sinter::runtime {

using ir::SizeId;
using ir::ValueId;
using place::Layout;

namespace {

class Walk {
  public:
    Walk(const BeforeRun& known, const SharedOf& shared_of, const Placement& placement)
        : known_(known), shared_of_(shared_of), placement_(placement), ranks_(known.ranks) {}

    Forecast run() {
        levels_.resize(known_.plan.body.types.size());
        for (std::size_t k = 0; k < known_.call.inputs.size(); ++k) enter_input(k);
        forecast_.received = body(known_.plan.body);
        forecast_.received.by_rank.resize(static_cast<std::size_t>(ranks_));
        return std::move(forecast_);
    }

  private:
    /// An array may be several inputs.
    void enter_input(std::size_t k) {
        const auto array_of = [&](std::size_t input) -> const void* {
            const BufferRef* owner = known_.call.inputs[input].owner;
            return owner ? owner->get() : nullptr;
        };
        levels_[k] = add(known_.layout_of_input(k));
        for (std::size_t other = 0; other < k; ++other)
            if (array_of(k) && array_of(other) == array_of(k)) levels_[k] = levels_[other];
    }

    Received body(const BodyPlan& body) {
        levels_.resize(std::max(levels_.size(), body.types.size()));
        Received all;
        for (const Step& step : body.steps) {
            Forecast::Of& of = forecast_.steps[&step];
            of = {};
            types_ = &body.types;
            match(
                step.action, [&](const KernelStep& s) { launch(s, body, of); },
                [&](const AliasStep& s) {
                    for (std::size_t k = 0; k < s.from.size(); ++k) levels_[s.to.index + k] = at(s.from[k]);
                },
                [&](const SortStep& s) { sort(s, body, of); },
                [&](const ForeignStep& s) {
                    of.how = fmt::format("whole on each of {} ranks (it is a foreign function)", ranks_);
                    of.received = gathered(s.args);
                    replicate(s.to, s.results);
                },
                [&](const CondStep& s) { branch(s, of); }, [&](const LoopStep& s) { loop(s, of); });
            all.add(of.received, 1);
        }
        return all;
    }

    std::size_t add(const Layout& layout) {
        arrays_.push_back(layout);
        return arrays_.size() - 1;
    }
    std::size_t at(ValueId id) const { return levels_[id.index]; }
    /// Of the array that the variable is at present.
    Layout& layout(ValueId id) { return arrays_[at(id)]; }
    void make(ValueId id, const Layout& layout) { levels_[id.index] = add(layout); }
    void replicate(ValueId first, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) make(ValueId(first.index + k), {});
    }

    /// Every rank gets these arrays, and keeps them.
    Received gathered(const std::vector<ValueId>& ids) {
        Received received{std::vector<std::int64_t>(static_cast<std::size_t>(ranks_))};
        for (ValueId id : ids) {
            Layout& array = layout(id);
            if (!array.blocks) continue;
            for (int rank = 0; rank < ranks_; ++rank)
                received.by_rank[static_cast<std::size_t>(rank)] +=
                    (array.elements() - array.own(ranks_, rank).length()) * detail::size_of(scalar(id));
            array = {};
        }
        return received;
    }
    ir::Scalar scalar(ValueId id) const { return types_->at(id.index).scalar; }

    void launch(const KernelStep& step, const BodyPlan& plan, Forecast::Of& of) {
        const std::vector<std::int64_t> sizes = known_.kernel_sizes(step);
        const auto shared = shared_of_(step, sizes.data());
        std::optional<place::LaunchFacts> facts;
        place::Share share;
        if (shared)
            facts = describe(
                {step, plan, known_.plan.program.sizes, sizes.data()}, *shared, [&](ValueId id) { return layout(id); },
                [&](SizeId id) { return known_.extent(id); }, share.why);
        if (facts) share = place::share(*facts, ranks_, least_shared(), placement_.wish(step));
        of.how = text_of(share, ranks_);
        known_.note_number(step);
        if (share.way == place::Way::whole) {
            of.received = gathered(step.inputs);
            return replicate(step.outputs);
        }
        of.received = received_for(*facts, share, *shared, ranks_);
        for (std::size_t k = 0; k < step.inputs.size(); ++k)
            if (share.gathered[k] && !share.looked_up[k]) layout(step.inputs[k]) = {};
        for (std::size_t k = 0; k < step.outputs.size(); ++k)
            make(step.outputs[k], is_in_blocks(*facts, share.way, *shared, k) ? facts->outputs[k].layout : Layout{});
    }

    void replicate(const std::vector<ValueId>& ids) {
        for (ValueId id : ids) make(id, {});
    }

    void sort(const SortStep& step, const BodyPlan& plan, Forecast::Of& of) {
        const ir::Type& type = plan.types[step.to.index];
        const Layout sorted = known_.layout_of(type);
        if (!known_.shares(step, plan)) {
            of.how = fmt::format("whole on each of {} ranks ({})", ranks_,
                                 makes_whole_lines(step, plan) ? "it is small" : "only its first elements are read");
            of.received = gathered(step.args);
            return replicate(step.to, step.args.size());
        }
        const bool rows = type.shape.size() > 1;
        of.how = fmt::format("{} on {} ranks", rows ? "by rows" : "by parts", ranks_);
        for (std::size_t k = 0; k < step.args.size(); ++k) make(ValueId(step.to.index + k), sorted);
        if (rows) return;
        of.received.data_decides = true;
        for (int rank = 0; rank < ranks_; ++rank) {
            std::int64_t bytes = 0;  // as if all elements belonged elsewhere with the same probability
            for (std::size_t k = 0; k < step.args.size(); ++k)
                bytes += sorted.own(ranks_, rank).length() * detail::size_of(plan.types[step.to.index + k].scalar);
            of.received.by_rank.push_back(bytes / ranks_ * (ranks_ - 1));
        }
    }

    void branch(const CondStep& step, Forecast::Of& of) {
        const auto before = std::pair(levels_, arrays_);
        body(*step.otherwise);
        std::tie(levels_, arrays_) = before;
        of.received = body(*step.then);
        for (std::size_t k = 0; k < step.then->results.size(); ++k) levels_[step.to.index + k] = at(step.then->results[k]);
    }

    /// The first iteration begins with other layouts than the ones that follow.
    void loop(const LoopStep& step, Forecast::Of& of) {
        std::vector<std::size_t> states;
        for (ValueId id : step.inits) states.push_back(at(id));
        const std::optional<std::int64_t> count = known_.count_of(step);
        forecast_.count_unknown |= !count;
        const std::int64_t times = count.value_or(1);
        if (times > 0) of.received.add(iterate(step, states), 1);
        if (times > 1 || !count) {
            const Received later = iterate(step, states);
            of.received.add(later, times - 1);
        }
        std::size_t next = step.to.index;
        for (std::size_t k = 0; k < step.first.size(); ++k) levels_[next++] = add({});
        for (std::size_t state : states) levels_[next++] = state;
    }

    Received iterate(const LoopStep& step, std::vector<std::size_t>& states) {
        Received received;
        if (step.condition) {
            enter(*step.condition, 0, step, states);
            received.add(body(*step.condition), 1);
        }
        enter(*step.body, step.count ? 1 : 0, step, states);
        received.add(body(*step.body), 1);
        for (std::size_t k = 0; k < states.size(); ++k) states[k] = at(step.body->results[k]);
        return received;
    }

    void enter(const BodyPlan& body, std::size_t first, const LoopStep& step, const std::vector<std::size_t>& states) {
        levels_.resize(std::max(levels_.size(), body.types.size()));
        std::size_t next = body.base;
        for (std::size_t k = 0; k < first + step.first.size(); ++k) levels_[next++] = add({});
        for (std::size_t state : states) levels_[next++] = state;
    }

    BeforeRun known_;
    const SharedOf& shared_of_;
    const Placement& placement_;
    const int ranks_;
    std::vector<Layout> arrays_;       ///< where they are at present: all variables that are an array change with it
    std::vector<std::size_t> levels_;  ///< arrays, by level
    const std::vector<ir::Type>* types_ = nullptr;
    Forecast forecast_;
};

}  // namespace

Forecast forecast(const Plan& plan, const Call& call, Backend& host, int ranks) {
    Placed placed = place_alone(plan, call, ranks, host);
    const Plan& executed = placed.plan ? *placed.plan : plan;
    const std::vector<std::int64_t> sizes = estimate_sizes(executed.program, call);
    const SharedOf shared_of = [&](const KernelStep& step, const std::int64_t* of) {
        return host.describe_shared(step.kernel->kernel, of, call.threads);
    };
    Forecast result = Walk(BeforeRun(executed, call, sizes, ranks), shared_of, *placed.placement).run();
    result.plan = std::move(placed.plan);
    result.choice = placed.placement->text();
    return result;
}

}  // namespace sinter::runtime
