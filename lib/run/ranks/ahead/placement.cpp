// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of a plan as launches and arrays whose layouts are chosen.
#include "run/ranks/ahead/placement.hpp"

#include "place/tuning.hpp"
#include "run/ranks/ahead/describe.hpp"
#include "run/ranks/ahead/received.hpp"
#include "support/match.hpp"
#include "support/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace sinter::runtime {

using ir::ValueId;
using place::Layout;
using place::Price;

/// What things cost, in vector instructions.
struct PlacementPrices {
    bool always;  ///< whatever can be shared is, and only bytes count
    double exchange, meeting, launch;

    explicit PlacementPrices(int ranks) : always(setting("SINTER_SHARE") == "always") {
        const double rounds = std::ceil(std::log2(std::max(2, ranks)));
        exchange = always ? 0 : place::tuning::exchange_work;
        meeting = always ? 0 : place::tuning::exchange_work * rounds;
        launch = always ? 0 : place::tuning::shared_launch_work;
    }
    double receiving(std::int64_t bytes) const {
        return bytes == 0 ? 0 : static_cast<double>(bytes) * place::tuning::byte_work + exchange;
    }
    double whole(double work) const { return always ? work + place::tuning::always_work : work; }
};

namespace {

/// As often as it is paid. No sum of what can be paid reaches `never`. Estimates of work may be a little below 0.
Price price(double once, double times) {
    return static_cast<Price>(std::clamp(std::ceil(once * times), 0.0, static_cast<double>(place::never >> 8)));
}

}  // namespace

class PlacementFinder {
  public:
    PlacementFinder(const BeforeRun& known, const SharedOf& shared_of)
        : known_(known), shared_of_(shared_of), prices_(known.ranks) {}

    Placement find() {
        enter_program();
        return result();
    }

    std::vector<Travelling> travelling() {
        enter_program();
        std::vector<Travelling> result;
        for (const Made& made : made_)
            result.push_back({made.body, made.id, least_to_travel(made.node), least_to_make(made.launch), made.price});
        return result;
    }

  private:
    void enter_program() {
        const BodyPlan& body = known_.plan.body;
        levels_.resize(body.types.size());
        for (std::size_t k = 0; k < known_.call.inputs.size(); ++k) {
            const Layout layout = known_.layout_of_input(k);
            if (layout.blocks)
                levels_[k] = given(layout, body.types[k]);
            else
                levels_[k] = replicated(body.types[k]);
        }
        // Where something is in blocks already, the ranks meet in any case.
        const bool meets =
            std::any_of(choices_.given.begin(), choices_.given.end(), [](const auto& g) { return g.has_value(); });
        choices_.meeting = meets ? 0 : price(prices_.meeting, 1);
        walk(body);
    }

    struct Array {
        Layout layout;  ///< if it is in blocks
        std::int64_t bytes_each = 1;
    };
    /// By a launch that could make it in blocks.
    struct Made {
        const BodyPlan* body;
        ValueId id;
        std::size_t node, launch;
        Price price;  ///< of a shared launch
    };

    std::size_t array(const Layout& layout, const ir::Type& type) {
        arrays_.push_back({layout, detail::size_of(type.scalar)});
        choices_.given.emplace_back();
        choices_.replicated.push_back(!layout.blocks);
        return choices_.arrays++;
    }
    std::size_t replicated(const ir::Type& type) {
        const std::size_t node = array(known_.layout_of(type), type);
        choices_.replicated[node] = true;
        return node;
    }
    std::size_t given(const Layout& layout, const ir::Type& type) {
        const std::size_t node = array(layout, type);
        choices_.given[node] = gathering(node);
        return node;
    }
    Price gathering(std::size_t node) const { return gathering(node, times_); }
    Price gathering(std::size_t node, double times) const {
        const Array& array = arrays_[node];
        if (!array.layout.blocks) return 0;
        return price(prices_.receiving(place::gathered_bytes({array.layout, array.bytes_each}, known_.ranks)), times);
    }
    std::size_t& at(ValueId id) { return levels_[id.index]; }

    void walk(const BodyPlan& body) {
        levels_.resize(std::max(levels_.size(), body.types.size()));
        for (const Step& step : body.steps)
            match(
                step.action, [&](const KernelStep& s) { launch(s, body); },
                [&](const AliasStep& s) {
                    for (std::size_t k = 0; k < s.from.size(); ++k) levels_[s.to.index + k] = at(s.from[k]);
                },
                [&](const SortStep& s) { sort(s, body); },
                [&](const ForeignStep& s) { everywhere(s.args, s.to, s.results, body); },
                [&](const CondStep& s) { branch(s, body); }, [&](const LoopStep& s) { loop(s, body); });
    }

    void launch(const KernelStep& step, const BodyPlan& body) {
        known_.note_number(step);
        const std::vector<std::int64_t> sizes = known_.kernel_sizes(step);
        const auto shared = has_points(step.kernel->kernel, sizes.data()) ? shared_of_(step, sizes.data()) : nullptr;
        std::string why;
        std::optional<place::LaunchFacts> facts;
        if (shared)
            facts = describe(
                {step, body, known_.plan.program.sizes, sizes.data()}, *shared,
                [&](ValueId id) { return choices_.replicated[at(id)] ? Layout{} : arrays_[at(id)].layout; },
                [&](ir::SizeId id) { return known_.extent(id); }, why);
        place::ChoiceOfLaunch choice;
        for (ValueId id : step.inputs) choice.reads.push_back(at(id));
        for (std::size_t k = 0; k < step.outputs.size(); ++k) {
            const ir::Type& type = body.types[step.outputs[k].index];
            at(step.outputs[k]) = array(facts ? facts->outputs[k].layout : known_.layout_of(type), type);
            choice.writes.push_back(at(step.outputs[k]));
        }
        if (facts) {
            choice.whole = price(prices_.whole(facts->work), times_);
            if (least_shared().work < std::numeric_limits<double>::infinity())
                for (const place::Offer& offer : place::offers(*facts, known_.ranks, least_shared(), why)) {
                    choice.ways.push_back(way(step, *facts, *shared, offer));
                    offered_[&step].push_back(offer.share.way);
                }
        }
        for (std::size_t k = 0; k < step.outputs.size(); ++k)
            if (std::any_of(choice.ways.begin(), choice.ways.end(),
                            [&](const auto& way) { return way.writes[k].in_blocks; }))
                made_.push_back({&body, step.outputs[k], choice.writes[k], launches_.size(), price(prices_.launch, times_)});
        if (facts) bound_ += price(facts->work / known_.ranks, times_);
        launches_.push_back(&step);
        choices_.launches.push_back(std::move(choice));
    }

    place::WayOfLaunch way(const KernelStep& step, const place::LaunchFacts& facts, const SharedKernel& shared,
                           const place::Offer& offer) {
        std::int64_t longest = 0, all = 0;
        for (const Interval& part : offer.share.parts) longest = std::max(longest, part.length()), all += part.length();
        double work = facts.work * static_cast<double>(longest) / static_cast<double>(std::max<std::int64_t>(1, all));
        place::Share share = offer.share;  // with everything on all ranks: what is left are partial results
        place::LaunchFacts there = facts;
        for (place::Operand& input : there.inputs) input.layout.blocks = false;
        share.gathered.resize(facts.inputs.size()), share.looked_up.resize(facts.inputs.size());
        work += prices_.launch + prices_.receiving(received_for(there, share, shared, known_.ranks).most());
        place::WayOfLaunch result{price(work, times_), {}, {}};
        for (std::size_t k = 0; k < step.inputs.size(); ++k) {
            const place::Offer::Input& input = offer.inputs[k];
            result.reads.push_back(
                {at(step.inputs[k]), input.gathered ? place::never : price(prices_.receiving(input.busiest), times_)});
        }
        for (std::size_t k = 0; k < step.outputs.size(); ++k) {
            const std::size_t node = at(step.outputs[k]);
            result.writes.push_back(
                {node, arrays_[node].layout.blocks && is_in_blocks(facts, offer.share.way, shared, k), gathering(node)});
        }
        return result;
    }

    void sort(const SortStep& step, const BodyPlan& body) {
        if (!known_.shares(step, body)) return everywhere(step.args, step.to, step.args.size(), body);
        for (std::size_t k = 0; k < step.args.size(); ++k) {
            const ir::Type& type = body.types[step.to.index + k];
            levels_[step.to.index + k] = given(known_.layout_of(type), type);
        }
    }

    /// What every rank computes for itself.
    void everywhere(const std::vector<ValueId>& args, ValueId to, std::size_t results, const BodyPlan& body) {
        for (ValueId id : args) choices_.replicated[at(id)] = true;
        for (std::size_t k = 0; k < results; ++k) levels_[to.index + k] = replicated(body.types[to.index + k]);
    }

    void becomes(std::size_t from, std::size_t to, double times) {
        choices_.becomes.push_back({from, to, gathering(from, times)});
    }

    /// A branch is as likely as the other.
    void branch(const CondStep& step, const BodyPlan& body) {
        for (std::size_t k = 0; k < step.then->results.size(); ++k) {
            const ir::Type& type = body.types[step.to.index + k];
            levels_[step.to.index + k] = array(known_.layout_of(type), type);
        }
        const std::vector<std::size_t> results(
            levels_.begin() + static_cast<std::ptrdiff_t>(step.to.index),
            levels_.begin() + static_cast<std::ptrdiff_t>(step.to.index + step.then->results.size()));
        times_ /= 2;
        for (const BodyPlan* side : {step.then.get(), step.otherwise.get()}) {
            walk(*side);
            for (std::size_t k = 0; k < results.size(); ++k) becomes(at(side->results[k]), results[k], times_);
        }
        times_ *= 2;
        for (std::size_t k = 0; k < results.size(); ++k) levels_[step.to.index + k] = results[k];
    }

    /// A state has one layout. What is left of it may be gathered once, behind the loop.
    void loop(const LoopStep& step, const BodyPlan& body) {
        const double outside = times_,
                     times = static_cast<double>(known_.count_of(step).value_or(place::tuning::guessed_iterations));
        const std::size_t extents = step.first.size();
        std::vector<std::size_t> states;
        for (std::size_t k = 0; k < step.inits.size(); ++k) {
            const ir::Type& type = body.types[step.to.index + extents + k];
            states.push_back(array(known_.layout_of(type), type));
            becomes(at(step.inits[k]), states.back(), outside);
        }
        times_ *= times;
        if (step.condition) {
            enter(*step.condition, extents, states);
            walk(*step.condition);
        }
        enter(*step.body, extents + (step.count ? 1 : 0), states);
        walk(*step.body);
        for (std::size_t k = 0; k < states.size(); ++k) becomes(at(step.body->results[k]), states[k], times_);
        times_ = outside;
        std::size_t next = step.to.index;
        for (std::size_t k = 0; k < extents; ++k, ++next) levels_[next] = replicated(body.types[next]);
        for (std::size_t state : states) {
            const std::size_t end = array(arrays_[state].layout, body.types[next]);
            becomes(state, end, outside);
            levels_[next++] = end;
        }
    }

    void enter(const BodyPlan& body, std::size_t numbers, const std::vector<std::size_t>& states) {
        levels_.resize(std::max(levels_.size(), body.types.size()));
        std::size_t next = body.base;
        for (std::size_t k = 0; k < numbers; ++k, ++next) levels_[next] = replicated(body.types[next]);
        for (std::size_t state : states) levels_[next++] = state;
    }

    /// Gathered for all of its readers, or received by each of them in the way that takes least.
    Price least_to_travel(std::size_t node) const {
        Price apart = 0;
        for (const place::ChoiceOfLaunch& launch : choices_.launches) {
            if (std::find(launch.reads.begin(), launch.reads.end(), node) == launch.reads.end()) continue;
            Price least = place::never;
            for (const place::WayOfLaunch& way : launch.ways) least = std::min(least, received(way, node));
            apart = std::min(place::never, apart + least);
        }
        return std::min(apart, gathering_of(node));
    }
    Price least_to_make(std::size_t launch) const {
        Price least = place::never;
        for (const place::WayOfLaunch& way : choices_.launches[launch].ways) {
            Price all = 0;
            for (const place::Read& read : way.reads) all = std::min(place::never, all + read.received);
            least = std::min(least, all);
        }
        return least;
    }
    static Price received(const place::WayOfLaunch& way, std::size_t node) {
        Price all = 0;
        for (const place::Read& read : way.reads)
            if (read.array == node) all = std::max(all, read.received);
        return all;
    }
    Price gathering_of(std::size_t node) const {
        Price most = 0;
        for (const place::ChoiceOfLaunch& launch : choices_.launches)
            for (const place::WayOfLaunch& way : launch.ways)
                for (const place::Write& write : way.writes)
                    if (write.array == node) most = std::max(most, write.gathering);
        return most;
    }

    Price may_gain(std::size_t k, const place::Choice& choice) const {
        const place::ChoiceOfLaunch& launch = choices_.launches[k];
        if (!choice.ways[k]) return launch.whole > 0 ? place::never : 0;
        Price received = 0;
        for (const place::Read& read : launch.ways[*choice.ways[k]].reads)
            if (choice.in_blocks[read.array])
                received += read.received;
            else if (choices_.given[read.array] || gathering_of(read.array) > 0)
                received = place::never;
        return std::min(received, place::never);
    }

    Placement result() {
        const place::Choice choice = place::choose(choices_);
        Placement placement;
        placement.price_ = choice.price;
        placement.is_best_ = choice.is_best;
        place::Choice unshared = choice;
        std::fill(unshared.ways.begin(), unshared.ways.end(), std::nullopt);
        std::fill(unshared.in_blocks.begin(), unshared.in_blocks.end(), false);
        placement.unshared_ = place::price_of(choices_, unshared);
        placement.bound_ = bound_;
        for (std::size_t k = 0; k < launches_.size(); ++k) {
            placement.may_gain_.emplace(launches_[k], may_gain(k, choice));
            place::Wish wish;
            if (choice.ways[k]) wish.way = offered_[launches_[k]][*choice.ways[k]];
            placement.any_ |= choice.ways[k].has_value();
            for (std::size_t node : choices_.launches[k].reads) wish.gathered.push_back(!choice.in_blocks[node]);
            wish.estimated = std::any_of(launches_[k]->sizes.begin(), launches_[k]->sizes.end(),
                                         [&](ir::SizeId id) { return known_.plan.dynamic[id.index]; });
            // Of a launch that could not be shared for extents that are estimates, nothing is known.
            if (!choices_.launches[k].ways.empty()) placement.wishes_.emplace(launches_[k], std::move(wish));
        }
        return placement;
    }

    BeforeRun known_;
    const SharedOf& shared_of_;
    const PlacementPrices prices_;
    place::Choices choices_;
    std::vector<Array> arrays_;
    std::vector<const KernelStep*> launches_;
    std::vector<Made> made_;
    Price bound_ = 0;
    std::unordered_map<const KernelStep*, std::vector<place::Way>> offered_;
    std::vector<std::size_t> levels_;  ///< arrays, by level
    double times_ = 1;                 ///< how often what is looked at happens
};

std::string Placement::text() const {
    auto us = [](Price work) { return static_cast<double>(work) / place::tuning::work_per_us; };
    if (!any_ || setting("SINTER_SHARE") == "always") return {};
    std::string text =
        fmt::format("Chosen together: about {:.0f} us a run, {:.0f} us if no launch were shared; {}\n", us(price_),
                    us(unshared_), is_best_ ? "no other choice of layouts is cheaper" : "not all choices were tried");
    if (!joint_ || joint_->tried == 0) return text;
    if (!joint_->stored.empty())
        text += fmt::format("Stored, since less travels then: {}; without that, {:.0f} us\n",
                            fmt::join(joint_->stored, ", "), us(joint_->fused));
    std::vector<std::string> others;
    for (const Price price : joint_->others) others.push_back(fmt::format("{:.0f}", us(price)));
    text += fmt::format("Ways to store more that were tried: {}", joint_->tried);
    if (!others.empty()) text += fmt::format(", of {} us", fmt::join(others, ", "));
    return text + (joint_->bound ? fmt::format("; others take {:.0f} us at least\n", us(*joint_->bound))
                                 : "; no other can be cheaper without less work\n");
}

Placement choose_placement(const BeforeRun& known, const SharedOf& shared_of) {
    return PlacementFinder(known, shared_of).find();
}

std::vector<Travelling> travelling(const BeforeRun& known, const SharedOf& shared_of) {
    return PlacementFinder(known, shared_of).travelling();
}

}  // namespace sinter::runtime
