// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/ahead/placements.hpp"

#include "run/explain/extents.hpp"
#include "run/ranks/ahead/joint.hpp"
#include "run/ranks/arrays/spread_array.hpp"
#include "run/ranks/job/collectives.hpp"
#include "run/ranks/job/job.hpp"
#include "run/ranks/job/meeting.hpp"
#include "run/ranks/launch/share.hpp"
#include "run/ranks/launch/shared_launch.hpp"

#include <sinter/detail/ranks.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace sinter::runtime {

namespace {

void add_counts(const BodyPlan& body, std::size_t inputs, std::vector<std::size_t>& numbers) {
    for (const Step& step : body.steps) {
        if (const auto* cond = std::get_if<CondStep>(&step.action))
            for (const BodyPlan* side : {cond->then.get(), cond->otherwise.get()}) add_counts(*side, inputs, numbers);
        const auto* loop = std::get_if<LoopStep>(&step.action);
        if (!loop) continue;
        if (loop->count && loop->count->index < inputs) numbers.push_back(loop->count->index);
        add_counts(*loop->body, inputs, numbers);
    }
}

std::vector<std::size_t> numbers_of(const Plan& plan) {
    const std::size_t inputs = plan.body.parameters;
    std::vector<std::size_t> numbers;
    add_counts(plan.body, inputs, numbers);
    for (std::size_t k = 0; k < plan.program.sizes.count(); ++k) {
        const ir::Size& size = plan.program.sizes[ir::SizeId(k)];
        const auto index = static_cast<std::size_t>(size.index);
        if (size.kind == ir::Size::Kind::value && index < inputs) numbers.push_back(index);
    }
    return numbers;
}

constexpr std::size_t most_entries = 8;

Placement placement_of(const Plan& plan, const Call& call, int ranks, const SharedOf& shared_of) {
    const std::vector<std::int64_t> sizes = estimate_sizes(plan.program, call);
    return choose_placement(BeforeRun(plan, call, sizes, ranks), shared_of);
}

/// Which of these variables rank 0 has found to be stored. What may fail on it alone is done before the ranks meet.
std::set<StoredVariable> agree(const Plan& plan, const Call& call, const Placement& placement,
                               const std::vector<Storable>& storable) {
    std::vector<char> chosen(storable.size());
    if (detail::own_rank() == 0) {
        const JointChoice choice =
            prepare(call.where, [&] { return choose_stored(plan, call, job()->count, placement, storable, *plan.backend); });
        for (std::size_t k = 0; k < storable.size(); ++k) chosen[k] = choice.stored.contains(storable[k].variable);
    }
    call.sharing->used = true;
    meet("run", storable.size(), call.where);
    broadcast(0, chosen.data(), chosen.size(), "run", call.where);
    if (detail::own_rank() != 0) traffic().met += chosen.size();
    std::set<StoredVariable> stored;
    for (std::size_t k = 0; k < storable.size(); ++k)
        if (chosen[k]) stored.insert(storable[k].variable);
    return stored;
}

}  // namespace

std::vector<std::int64_t> Placements::key_of(const Plan& plan, const Call& call) {
    if (!numbers_) numbers_ = numbers_of(plan);
    std::vector<std::int64_t> key(call.size_arguments.begin(), call.size_arguments.end());
    for (const InputView& input : call.inputs) {
        key.insert(key.end(), input.shape.begin(), input.shape.end());
        const SpreadArray* array = input.owner ? spread(*input.owner) : nullptr;
        key.push_back(array && !array->copy);
    }
    for (std::size_t k : *numbers_) key.push_back(call.inputs[k].number());
    return key;
}

Placed place_alone(const Plan& plan, const Call& call, int ranks, Backend& host) {
    const SharedOf shared_of = [&](const KernelStep& step, const std::int64_t* of) {
        return host.describe_shared(step.kernel->kernel, of, call.threads);
    };
    auto placement = std::make_shared<Placement>(placement_of(plan, call, ranks, shared_of));
    const std::vector<Storable> more = storable(plan, call, ranks, *placement, host);
    if (more.empty()) return {nullptr, std::move(placement)};
    JointChoice choice = choose_stored(plan, call, ranks, *placement, more, host);
    if (choice.plan) placement = std::make_shared<Placement>(placement_of(*choice.plan, call, ranks, shared_of));
    placement->tell(std::move(choice.search));
    return {std::move(choice.plan), std::move(placement)};
}

Placed Placements::find(const Plan& plan, const Call& call) {
    std::vector<std::int64_t> key = key_of(plan, call);
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
    if (found != entries_.end()) {
        entries_.splice(entries_.begin(), entries_, found);
        return found->placed;
    }
    const SharedOf shared_of = [&](const KernelStep& step, const std::int64_t* of) -> std::shared_ptr<const SharedKernel> {
        return bind_shared(step, of, call.threads);
    };
    Placed placed{nullptr, std::make_shared<const Placement>(placement_of(plan, call, job()->count, shared_of))};
    const std::vector<Storable> more = storable(plan, call, job()->count, *placed.placement, *plan.backend);
    const std::set<StoredVariable> stored =
        more.empty() ? std::set<StoredVariable>() : agree(plan, call, *placed.placement, more);
    if (!stored.empty()) {
        placed.plan = plan.replan(with_stored(plan.program, stored), fuse::Strategy::optimal, true, call);
        placed.placement = std::make_shared<const Placement>(placement_of(*placed.plan, call, job()->count, shared_of));
    }
    entries_.push_front({std::move(key), placed});
    if (entries_.size() > most_entries) entries_.pop_back();
    return placed;
}

}  // namespace sinter::runtime
