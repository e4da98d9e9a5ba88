// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of a plan, executed on layouts instead of arrays.
#include "run/ranks/forecast.hpp"

#include "place/tuning.hpp"
#include "run/execute/execute.hpp"
#include "run/plan/size_values.hpp"
#include "run/plan/uses.hpp"
#include "run/ranks/describe.hpp"
#include "run/ranks/job.hpp"
#include "run/ranks/spread_array.hpp"
#include "support/match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace sinter::runtime {

using ir::SizeId;
using ir::ValueId;
using place::Layout;

void Received::add(const Received& other, std::int64_t times) {
    by_rank.resize(std::max(by_rank.size(), other.by_rank.size()));
    for (std::size_t rank = 0; rank < other.by_rank.size(); ++rank) by_rank[rank] += times * other.by_rank[rank];
    at_least += times * other.at_least;
    data_decides |= other.data_decides;
}

std::int64_t Received::all() const { return std::accumulate(by_rank.begin(), by_rank.end(), std::int64_t{0}); }
std::int64_t Received::most() const { return by_rank.empty() ? 0 : *std::max_element(by_rank.begin(), by_rank.end()); }

std::string text_of(const Received& received) {
    return fmt::format("received: {} bytes by the busiest, {} by all, {}{}", received.most(), received.all(),
                       received.data_decides ? "about; at least " : "at least ", received.at_least);
}

namespace {

Interval common(const Interval& a, const Interval& b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

/// What each rank receives of one launch.
class LaunchForecast {
  public:
    LaunchForecast(const place::LaunchFacts& facts, const place::Share& share, const SharedKernel& shared, int ranks)
        : facts_(facts), share_(share), shared_(shared), ranks_(ranks), received_{std::vector<std::int64_t>(size())} {}

    Received take() {
        for (std::size_t k = 0; k < facts_.inputs.size(); ++k)
            if (share_.gathered[k]) share_.looked_up[k] ? look_up(k) : gather(facts_.inputs[k]);
        if (share_.way == place::Way::whole) return std::move(received_);
        for (int rank = 0; rank < ranks_; ++rank) bring(rank);
        if (share_.way == place::Way::chunks) chunks();
        return std::move(received_);
    }

  private:
    std::size_t size() const { return static_cast<std::size_t>(ranks_); }
    std::int64_t& of(int rank) { return received_.by_rank[static_cast<std::size_t>(rank)]; }

    /// All ranks get all of it. How much a launch needs at least is known of what it reads along the axis that is cut.
    void gather(const place::Operand& input) {
        for (int rank = 0; rank < ranks_; ++rank)
            of(rank) += (input.layout.elements() - input.layout.own(ranks_, rank).length()) * input.bytes_each;
    }

    /// As if each number were that of another row.
    void look_up(std::size_t k) {
        const schedule::PartFacts& facts = share_.way == place::Way::points ? *facts_.points : *facts_.reduced;
        const place::Operand& input = facts_.inputs[k];
        const Layout& layout = input.layout;
        received_.data_decides = true;
        std::vector<std::int64_t> missed;
        for (int rank = 0; rank < ranks_; ++rank) {
            std::int64_t numbers = 0;
            for (const Interval& part :
                 place::needed(facts_, share_.way, facts.reach[k].lookup.by, share_.parts[static_cast<std::size_t>(rank)]))
                numbers += part.length();
            const std::int64_t others = layout.rows - place::rows_of(layout.rows, ranks_, rank).length();
            missed.push_back(std::min(numbers, layout.rows) * others / layout.rows);
        }
        const std::int64_t all = std::accumulate(missed.begin(), missed.end(), std::int64_t{0});
        if (!place::is_worth_looking_up(all, layout, input.bytes_each, ranks_)) return gather(input);
        for (int rank = 0; rank < ranks_; ++rank)  // rows, and questions of others
            of(rank) += missed[static_cast<std::size_t>(rank)] * layout.row * input.bytes_each + all / ranks_ * 8;
    }

    void bring(int rank) {
        for (const place::Piece& piece : place::pieces(facts_, share_, ranks_, rank))
            for (std::size_t k = 0; k < piece.brought.size(); ++k) {
                of(rank) += place::missing(piece.brought[k], facts_.inputs[k].layout.own(ranks_, rank)) *
                            facts_.inputs[k].bytes_each;
            }
        // The hull of what all points of the part read, once.
        const schedule::PartFacts& parts = share_.way == place::Way::points ? *facts_.points : *facts_.reduced;
        for (std::size_t k = 0; k < facts_.inputs.size(); ++k) {
            const Layout& layout = facts_.inputs[k].layout;
            if (!layout.blocks || parts.reach[k].kind != schedule::Reach::Kind::near) continue;
            const auto needed = place::needed(facts_, share_.way, k, share_.parts[static_cast<std::size_t>(rank)]);
            received_.at_least += place::missing(needed, layout.own(ranks_, rank)) * facts_.inputs[k].bytes_each;
        }
    }

    /// Partial results, and elements that a rank has written for others.
    void chunks() {
        std::vector<std::size_t> bytes = shared_.partial_bytes();
        const SharedKernel::Loop loop = shared_.loop();
        if (loop == SharedKernel::Loop::compact) return kept();
        if (loop == SharedKernel::Loop::scan) bytes.resize(bytes.size() / 2);
        const auto each = static_cast<std::int64_t>(std::accumulate(bytes.begin(), bytes.end(), std::size_t{0}));
        std::vector<std::int64_t> counts;
        for (const Interval& part : share_.parts)
            counts.push_back(shared_.joins_in_any_order() ? std::min<std::int64_t>(1, part.length()) : part.length());
        const std::int64_t count = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
        for (int rank = 0; rank < ranks_; ++rank) of(rank) += (count - counts[static_cast<std::size_t>(rank)]) * each;
        // One combined result of each rank, and, but for scans, the result on all ranks but one.
        const std::int64_t makers = ranks_ - std::count(counts.begin(), counts.end(), 0);
        received_.at_least += each * (makers - 1 + (loop == SharedKernel::Loop::scan ? 0 : ranks_ - 1));
        for (std::size_t k = 0; k < facts_.outputs.size(); ++k)
            for (int rank = 0; place::writes(facts_, k) && rank < ranks_; ++rank) {
                const Interval own = facts_.outputs[k].layout.own(ranks_, rank);
                const Interval made = place::written(facts_, share_, k, rank);
                of(rank) += (own.length() - common(own, made).length()) * facts_.outputs[k].bytes_each;
            }
    }

    /// What a compact keeps belongs to others to an extent that data decide: not more than all of it.
    void kept() {
        for (int rank = 0; rank < ranks_; ++rank) of(rank) += 8 * (ranks_ - 1);
        received_.at_least += 8 * (ranks_ - 1);
        received_.data_decides = true;
    }

    const place::LaunchFacts& facts_;
    const place::Share& share_;
    const SharedKernel& shared_;
    const int ranks_;
    Received received_;
};

/// What a kernel without inputs stores as its only number, such as how often a loop runs.
std::optional<std::int64_t> stored_number(const KernelStep& step) {
    const lower::Kernel& kernel = step.kernel->kernel;
    if (!step.inputs.empty() || step.outputs.size() != 1 || !kernel.space.empty()) return std::nullopt;
    std::vector<std::optional<std::int64_t>> locals;
    for (const lower::Inst& inst : kernel.body.insts) {
        if (inst.op == ir::Op::store) return locals[inst.operands[1].index];
        const bool is_number = inst.op == ir::Op::constant && inst.type() == lower::Scalar::i64;
        locals.resize(locals.size() + inst.types.size());
        if (is_number) locals.back() = static_cast<std::int64_t>(inst.bits);
    }
    return std::nullopt;
}

class Walk {
  public:
    Walk(const Plan& plan, const Call& call, const std::vector<std::int64_t>& sizes, Backend& host, int ranks)
        : plan_(plan), call_(call), sizes_(sizes), host_(host), ranks_(ranks) {}

    Forecast run() {
        layouts_.resize(plan_.body.types.size());
        for (std::size_t k = 0; k < call_.inputs.size(); ++k) layouts_[k] = layout_of_input(k);
        forecast_.received = body(plan_.body);
        forecast_.received.by_rank.resize(static_cast<std::size_t>(ranks_));
        return std::move(forecast_);
    }

  private:
    Layout layout_of_input(std::size_t k) const {
        const InputView& input = call_.inputs[k];
        if (!input.owner) return {};
        if (const SpreadArray* array = spread(*input.owner)) return array->copy ? Layout{} : array->layout();
        const std::int64_t elements = ir::sizes::product(input.shape);
        const std::int64_t bytes = elements * detail::size_of(plan_.body.types[k].scalar);
        if (job() || input.shape.empty() || bytes < place::tuning::least_blocks_bytes) return {};
        return {true, input.shape[0], elements / input.shape[0]};
    }

    Received body(const BodyPlan& body) {
        layouts_.resize(std::max(layouts_.size(), body.types.size()));
        Received all;
        for (const Step& step : body.steps) {
            Forecast::Of& of = forecast_.steps[&step];
            of = {};
            types_ = &body.types;
            match(
                step.action, [&](const KernelStep& s) { launch(s, body, of); },
                [&](const AliasStep& s) {
                    for (std::size_t k = 0; k < s.from.size(); ++k) layouts_[s.to.index + k] = layout(s.from[k]);
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

    Layout& layout(ValueId id) { return layouts_[id.index]; }
    void replicate(ValueId first, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) layouts_[first.index + k] = {};
    }
    std::int64_t extent(SizeId id) const { return sizes_[id.index]; }

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
        const lower::Kernel& kernel = step.kernel->kernel;
        std::vector<std::int64_t> arguments, sizes(kernel.sizes.count());
        for (SizeId id : step.sizes) arguments.push_back(extent(id));
        evaluate_kernel_sizes(kernel.sizes, arguments, sizes);
        const auto shared = host_.describe_shared(kernel, sizes.data(), call_.threads);
        std::optional<place::LaunchFacts> facts;
        place::Share share;
        if (shared)
            facts = describe(
                {step, plan, plan_.program.sizes, sizes.data()}, *shared, [&](ValueId id) { return layout(id); },
                [&](SizeId id) { return extent(id); }, share.why);
        if (facts) share = place::share(*facts, ranks_, least_shared());
        of.how = text_of(share, ranks_);
        if (const auto number = stored_number(step)) numbers_[step.outputs[0]] = *number;
        if (share.way == place::Way::whole) {
            of.received = gathered(step.inputs);
            return replicate(step.outputs);
        }
        of.received = LaunchForecast(*facts, share, *shared, ranks_).take();
        for (std::size_t k = 0; k < step.inputs.size(); ++k)
            if (share.gathered[k] && !share.looked_up[k]) layout(step.inputs[k]) = {};
        for (std::size_t k = 0; k < step.outputs.size(); ++k) layout(step.outputs[k]) = result(*facts, share, *shared, k);
    }

    void replicate(const std::vector<ValueId>& ids) {
        for (ValueId id : ids) layout(id) = {};
    }

    static Layout result(const place::LaunchFacts& facts, const place::Share& share, const SharedKernel& shared,
                         std::size_t k) {
        const place::Operand& output = facts.outputs[k];
        if (share.way == place::Way::points) return output.layout;
        if (is_kept(shared, facts.inputs.size() + k))
            return output.layout.elements() * output.bytes_each >= least_kept_bytes() ? output.layout : Layout{};
        return place::writes(facts, k) ? output.layout : Layout{};
    }

    void sort(const SortStep& step, const BodyPlan& plan, Forecast::Of& of) {
        const ir::Type& type = plan.types[step.to.index];
        Layout sorted{true};
        for (std::size_t axis = 0; axis < type.shape.size(); ++axis)
            (axis == 0 ? sorted.rows : sorted.row) *= extent(type.shape[axis]);
        if (sorted.elements() < least_sorted()) {
            of.how = fmt::format("whole on each of {} ranks (it is small)", ranks_);
            of.received = gathered(step.args);
            return replicate(step.to, step.args.size());
        }
        const bool rows = type.shape.size() > 1;
        of.how = fmt::format("{} on {} ranks", rows ? "by rows" : "by parts", ranks_);
        for (std::size_t k = 0; k < step.args.size(); ++k) layouts_[step.to.index + k] = sorted;
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
        const std::vector<Layout> before = layouts_;
        body(*step.otherwise);
        layouts_ = before;
        of.received = body(*step.then);
        for (std::size_t k = 0; k < step.then->results.size(); ++k)
            layouts_[step.to.index + k] = layout(step.then->results[k]);
    }

    /// The first iteration begins with other layouts than the ones that follow.
    void loop(const LoopStep& step, Forecast::Of& of) {
        std::vector<Layout> states;
        for (ValueId id : step.inits) states.push_back(layout(id));
        const std::optional<std::int64_t> count = count_of(step);
        forecast_.count_unknown |= !count;
        const std::int64_t times = count.value_or(1);
        if (times > 0) of.received.add(iterate(step, states), 1);
        if (times > 1 || !count) {
            const Received later = iterate(step, states);
            of.received.add(later, times - 1);
        }
        std::size_t next = step.to.index;
        for (std::size_t k = 0; k < step.first.size(); ++k) layouts_[next++] = {};
        for (const Layout& state : states) layouts_[next++] = state;
    }

    Received iterate(const LoopStep& step, std::vector<Layout>& states) {
        Received received;
        if (step.condition) {
            enter(*step.condition, 0, step, states);
            received.add(body(*step.condition), 1);
        }
        enter(*step.body, step.count ? 1 : 0, step, states);
        received.add(body(*step.body), 1);
        for (std::size_t k = 0; k < states.size(); ++k) states[k] = layout(step.body->results[k]);
        return received;
    }

    void enter(const BodyPlan& body, std::size_t first, const LoopStep& step, const std::vector<Layout>& states) {
        layouts_.resize(std::max(layouts_.size(), body.types.size()));
        std::size_t next = body.base;
        for (std::size_t k = 0; k < first + step.first.size(); ++k) layouts_[next++] = {};
        for (const Layout& state : states) layouts_[next++] = state;
    }

    std::optional<std::int64_t> count_of(const LoopStep& step) const {
        if (!step.count) return std::nullopt;
        if (step.count->index < call_.inputs.size()) return call_.inputs[step.count->index].number();
        const auto found = numbers_.find(*step.count);
        return found == numbers_.end() ? std::nullopt : std::optional(found->second);
    }

    const Plan& plan_;
    const Call& call_;
    const std::vector<std::int64_t>& sizes_;
    Backend& host_;
    const int ranks_;
    std::vector<Layout> layouts_;  ///< by level
    const std::vector<ir::Type>* types_ = nullptr;
    std::map<ValueId, std::int64_t> numbers_;  ///< that kernels store
    Forecast forecast_;
};

}  // namespace

Forecast forecast(const Plan& plan, const Call& call, const std::vector<std::int64_t>& sizes, Backend& host, int ranks) {
    return Walk(plan, call, sizes, host, ranks).run();
}

}  // namespace sinter::runtime
