// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/gpu/cards/kernel.hpp"

#include "jit/gpu/device/lookahead.hpp"
#include "run/parts.hpp"
#include "schedule/card/tuning.hpp"
#include "support/arithmetic.hpp"
#include "support/settings.hpp"
#include "support/threads/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <new>

namespace sinter::gpu {

namespace tuning = schedule::card::tuning;
using schedule::card::Cut;

namespace {

bool wishes(std::string_view what) {
    static const std::string_view wish = setting("SINTER_SHARE");
    return wish == what;
}

Interval scaled(const Interval& elements, std::int64_t bytes) { return {elements.begin * bytes, elements.end * bytes}; }

}  // namespace

CardsKernel::CardsKernel(const lower::Kernel& kernel, std::shared_ptr<CardArrays> arrays)
    : kernel_(kernel), arrays_(std::move(arrays)) {
    for (OneCard* card : arrays_->cards())
        cards_.emplace_back(static_cast<OneCardKernel*>(card->compile(kernel_).release()));
}

/// Cards have consecutive parts, all of them about equally long; the first ones are not empty.
std::unique_ptr<const CardsKernel::Plan> CardsKernel::make_plan(const std::int64_t* sizes) const {
    auto plan = std::make_unique<Plan>();
    plan->sizes.assign(sizes, sizes + kernel_.sizes.count());
    plan->cutting = cards_[0]->cutting(sizes);
    const Cutting& cutting = plan->cutting;
    if (cutting.cut == Cut::nowhere) return plan;
    const auto count = static_cast<std::int64_t>(cards_.size());
    auto first = [&](std::int64_t card) {
        return std::min(cutting.extent, ceil_div(ceil_div(cutting.extent * card, count), cutting.unit) * cutting.unit);
    };
    for (std::int64_t card = 0; card < count; ++card) plan->parts.push_back({first(card), first(card + 1)});
    if (plan->parts[1].empty()) {
        plan->cutting.cut = Cut::nowhere;
        plan->cutting.why = "it has one part";
        return plan;
    }
    for (const Interval& part : plan->parts) {
        auto& reads = plan->reads.emplace_back(kernel_.buffers.size());
        auto& touched = plan->touched.emplace_back(kernel_.buffers.size());
        if (part.empty()) continue;
        for (std::size_t k = 0; k < kernel_.buffers.size(); ++k) {
            const lower::Buffer& buffer = kernel_.buffers[k];
            const std::int64_t elements = sizes[buffer.elements.index];
            if (buffer.output && cutting.cut == Cut::at_chunks) {
                touched[k] = scaled({0, elements}, bytes_each(k));
                continue;
            }
            for (const Interval& range : cutting.facts.reach[k].parts_of(indices(cutting, part), elements)) {
                if (!buffer.output) reads[k].push_back(scaled(range, bytes_each(k)));
                touched[k] = schedule::hull(touched[k], scaled(range, bytes_each(k)));
            }
            if (reads[k].size() > tuning::most_pieces) reads[k] = {touched[k]};
            // A thread whose check has failed goes on with element 0.
            if (!kernel_.checks.empty() && elements > 0)
                touched[k] = schedule::hull(touched[k], scaled({0, 1}, bytes_each(k)));
        }
    }
    return plan;
}

Interval CardsKernel::indices(const Cutting& cutting, const Interval& part) const {
    if (cutting.cut == Cut::at_points) return part;
    const std::int64_t begin = part.begin * cutting.chunk_length, end = part.end * cutting.chunk_length;
    return {begin / cutting.inner, std::min(cutting.facts.extent, ceil_div(end, cutting.inner))};
}

const CardsKernel::Plan& CardsKernel::plan_of(const std::int64_t* sizes, std::unique_ptr<const Plan>& made) const {
    auto fits = [&](const Plan& plan) { return std::equal(plan.sizes.begin(), plan.sizes.end(), sizes); };
    if (const Plan* kept = plans_.find(fits)) return *kept;
    made = make_plan(sizes);
    return *made;
}

std::string CardsKernel::schedule(const std::int64_t* sizes, int threads) const {
    return cards_[0]->schedule(sizes, threads) + "; " + shares(sizes);
}

std::string CardsKernel::shares(const std::int64_t* sizes) const {
    std::unique_ptr<const Plan> made;
    const Plan& plan = plan_of(sizes, made);
    if (plan.cutting.cut == Cut::nowhere) return fmt::format("on one card: {}", plan.cutting.why);
    std::string text = plan.cutting.cut == Cut::at_points ? "if shared, outermost points" : "if shared, chunks";
    for (std::size_t card = 0; card < plan.parts.size(); ++card)
        text += fmt::format("{} {} to {} on {}", card > 0 ? "," : "", plan.parts[card].begin, plan.parts[card].end,
                            arrays_->cards()[card]->device().name());
    return text;
}

void CardsKernel::launch(const runtime::Launch& launch) const {
    std::unique_ptr<const Plan> made;
    {
        const Plan& plan = plan_of(launch.sizes, made);
        const SectionLock lock(arrays_->mutex());
        const std::vector<bool> here = which_are_here(launch);
        try {
            is_worth_sharing(plan, launch, here) ? launch_parts(plan, launch, here) : launch_whole(launch);
        } catch (...) {
            arrays_->settle();
            throw;
        }
    }
    if (made) plans_.keep(std::move(made));
}

std::vector<bool> CardsKernel::which_are_here(const runtime::Launch& launch) const {
    std::vector<bool> here;
    for (std::size_t k = 0; k < kernel_.buffers.size(); ++k) here.push_back(arrays_->has(launch.buffers[k]));
    return here;
}

/// Results that go to the host's memory are made by one card. Beside the work, moving is compared: of what cards lack
/// for their parts, and of what the first one would lack for the whole.
bool CardsKernel::is_worth_sharing(const Plan& plan, const runtime::Launch& launch, const std::vector<bool>& here) const {
    if (plan.cutting.cut == Cut::nowhere) return false;
    for (std::size_t k = 0; k < here.size(); ++k)
        if (kernel_.buffers[k].output && !here[k]) return false;
    if (wishes("always")) return true;
    if (wishes("never")) return false;
    std::int64_t busiest = 0, whole = 0;
    for (std::size_t card = 0; card < cards_.size(); ++card) {
        std::int64_t missing = 0;
        for (std::size_t k = 0; k < here.size(); ++k) {
            if (!here[k] || kernel_.buffers[k].output) continue;
            missing += arrays_->missing(card, launch.buffers[k], plan.reads[card][k]);
            if (card == 0)
                whole += arrays_->missing(0, launch.buffers[k],
                                          {{0, launch.sizes[kernel_.buffers[k].elements.index] * bytes_each(k)}});
        }
        busiest = std::max(busiest, missing);
    }
    const auto cards = static_cast<double>(cards_.size());
    return plan.cutting.work * (1 - 1 / cards) + static_cast<double>(whole) * tuning::moved_byte >
           static_cast<double>(busiest) * tuning::moved_byte + cards * tuning::shared_launch_bytes;
}

std::vector<CardArrays::Use> CardsKernel::uses_of_whole(const runtime::Launch& launch) const {
    std::vector<CardArrays::Use> uses;
    for (std::size_t k = 0; k < kernel_.buffers.size(); ++k) {
        if (!arrays_->has(launch.buffers[k])) continue;
        const lower::Buffer& buffer = kernel_.buffers[k];
        const Interval all = scaled({0, launch.sizes[buffer.elements.index]}, bytes_each(k));
        uses.push_back({0, launch.buffers[k], {}, {0, std::max<std::int64_t>(all.end, 1)}});
        if (!buffer.output || buffer.dest) uses.back().read.push_back(all);
    }
    return uses;
}

void CardsKernel::launch_whole(const runtime::Launch& launch) const {
    arrays_->make_ready(uses_of_whole(launch));
    std::vector<void*> buffers;
    for (std::size_t k = 0; k < kernel_.buffers.size(); ++k)
        buffers.push_back(arrays_->has(launch.buffers[k]) ? arrays_->address(0, launch.buffers[k]) : launch.buffers[k]);
    runtime::Launch here = launch;
    here.buffers = buffers.data();
    here.may_branch = false;
    cards_[0]->launch(here);
    for (std::size_t k = 0; k < kernel_.buffers.size(); ++k)
        if (kernel_.buffers[k].output && arrays_->has(launch.buffers[k]))
            arrays_->written(0, launch.buffers[k],
                             scaled({0, launch.sizes[kernel_.buffers[k].elements.index]}, bytes_each(k)));
}

/// The parts of one launch, which runs while this lives.
class CardsKernel::Sharing {
  public:
    Sharing(const CardsKernel& kernel, const Plan& plan, const runtime::Launch& launch, const std::vector<bool>& here)
        : kernel_(kernel), arrays_(*kernel.arrays_), plan_(plan), launch_(launch), here_(here) {}

    void run() {
        arrays_.make_ready(uses());
        for (std::size_t card = 0; card < plan_.parts.size(); ++card)
            if (!plan_.parts[card].empty()) start(card);
        if (plan_.cutting.cut == Cut::at_chunks) combine();
        note_written();
        check();
    }

  private:
    std::vector<CardArrays::Use> uses() const {
        std::vector<CardArrays::Use> uses;
        for (std::size_t card = 0; card < plan_.parts.size(); ++card)
            for (std::size_t k = 0; k < here_.size(); ++k)
                if (here_[k] && !plan_.touched[card][k].empty())
                    uses.push_back({card, launch_.buffers[k], plan_.reads[card][k], plan_.touched[card][k]});
        return uses;
    }

    OneCard& card(std::size_t k) const { return *arrays_.cards()[k]; }

    /// The launch as a card sees it; `buffers` becomes its pointers.
    runtime::Launch launch_on(std::size_t card, std::vector<void*>& buffers) {
        for (std::size_t k = 0; k < here_.size(); ++k)
            buffers.push_back(here_[k] ? arrays_.address(card, launch_.buffers[k]) : launch_.buffers[k]);
        runtime::Launch own = launch_;
        own.buffers = buffers.data();
        own.may_branch = false;
        if (!kernel_.kernel_.checks.empty()) own.record = records_[card]->record(0);
        return own;
    }

    void start(std::size_t card) {
        records_.resize(plan_.parts.size());
        if (!kernel_.kernel_.checks.empty()) records_[card] = look_ahead(this->card(card).memory(), 0, 1);
        std::vector<void*> buffers;
        const runtime::Launch own = launch_on(card, buffers);
        kernel_.cards_[card]->launch_part(own, plan_.parts[card], on_card(), states(card));
    }

    /// What is not an array of the cards is small and on the host.
    std::vector<bool> on_card() const { return here_; }

    /// Memory for the results of all chunks.
    std::vector<void*> states(std::size_t card) {
        std::vector<void*> all;
        states_.resize(plan_.parts.size());
        const std::int64_t results = plan_.cutting.extent * plan_.cutting.points;
        for (std::size_t bytes : plan_.cutting.results)
            all.push_back(
                states_[card].emplace_back(this->card(card).memory(), bytes * static_cast<std::size_t>(results)).data());
        return all;
    }

    /// Brings the results of all chunks together on the first card.
    void combine() {
        std::vector<void*> first;
        for (Scratch& state : states_[0]) first.push_back(state.data());
        for (std::size_t card = 1; card < plan_.parts.size(); ++card) {
            const Interval& part = plan_.parts[card];
            if (part.empty()) continue;
            this->card(0).device().follow(this->card(card).device());
            for (std::size_t k = 0; k < first.size(); ++k) {
                const auto each = static_cast<std::int64_t>(plan_.cutting.results[k]) * plan_.cutting.points;
                copy(card, states_[card][k].data(), first[k], scaled(part, each));
            }
            this->card(card).device().follow(this->card(0).device());
        }
        std::vector<void*> buffers;
        const runtime::Launch own = launch_on(0, buffers);
        kernel_.cards_[0]->finish_chunks(own, on_card(), first);
    }

    void copy(std::size_t from_card, void* from, void* to, const Interval& bytes) {
        const auto length = static_cast<std::size_t>(bytes.length());
        from = static_cast<std::byte*>(from) + bytes.begin;
        to = static_cast<std::byte*>(to) + bytes.begin;
        if (card(0).device().copy_from(card(from_card).device(), to, from, length)) return;
        const BufferRef here = sinter::allocate(length);
        card(from_card).memory().read(here->data, from, length);
        card(0).memory().write(to, here->data, length);
    }

    void note_written() const {
        for (std::size_t k = 0; k < here_.size(); ++k) {
            if (!kernel_.kernel_.buffers[k].output) continue;
            const std::int64_t each = kernel_.bytes_each(k);
            if (plan_.cutting.cut == Cut::at_chunks) {
                arrays_.written(0, launch_.buffers[k],
                                scaled({0, launch_.sizes[kernel_.kernel_.buffers[k].elements.index]}, each));
                continue;
            }
            const std::int64_t slope = plan_.cutting.facts.reach[k].slope;
            for (std::size_t card = 0; card < plan_.parts.size(); ++card)
                if (!plan_.parts[card].empty())
                    arrays_.written(card, launch_.buffers[k], scaled(plan_.parts[card], slope * each));
        }
    }

    /// The first part comes first: what failed there is what one card would have found. A part of a reduce may have
    /// failed in what all of them do before, or what the first card does in the end.
    void check() {
        if (kernel_.kernel_.checks.empty()) return;
        for (std::size_t card = 0; card < records_.size(); ++card) {
            if (!records_[card]) continue;
            records_[card]->finish();
            if (records_[card]->has_failed(0, *launch_.error)) return;
        }
    }

    const CardsKernel& kernel_;
    CardArrays& arrays_;
    const Plan& plan_;
    const runtime::Launch& launch_;
    const std::vector<bool>& here_;
    std::vector<std::unique_ptr<runtime::Lookahead>> records_;
    std::vector<std::deque<Scratch>> states_;
};

void CardsKernel::launch_parts(const Plan& plan, const runtime::Launch& launch, const std::vector<bool>& here) const {
    Sharing(*this, plan, launch, here).run();
}

}  // namespace sinter::gpu
