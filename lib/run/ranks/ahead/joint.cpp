// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/ranks/ahead/joint.hpp"

#include "fuse/graph/bodies.hpp"
#include "ir/walk.hpp"
#include "lower/loops.hpp"
#include "place/choice/cheapest_sets.hpp"
#include "place/tuning.hpp"
#include "run/explain/explain_walk.hpp"
#include "run/explain/extents.hpp"
#include "run/ranks/ahead/describe.hpp"
#include "schedule/facts/collisions.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

namespace sinter::runtime {

using ir::Op;
using place::Price;

namespace {

/// The numbers of a program's bodies.
std::map<const ir::Body*, std::size_t> numbers_of(const ir::Program& program) {
    std::map<const ir::Body*, std::size_t> numbers;
    fuse::for_each_body(program.body, {},
                        [&](const ir::Body& body, const auto&) { numbers.emplace(&body, numbers.size()); });
    return numbers;
}

/// Whether another kernel that computes the same may associate otherwise, let another value win where several meet, or print
/// in another order.
bool has_own_order(const lower::Kernel& kernel) {
    auto is_ordered = [](const lower::Inst& inst) {
        return inst.op == Op::reduce || inst.op == Op::scan || inst.op == Op::update || inst.op == Op::print;
    };
    if (ir::any_inst(kernel.body, is_ordered)) return true;
    const bool is_line = kernel.space.size() == 1 && !ir::any_inst(kernel.body, [](const lower::Inst& inst) {
                             return lower::is_loop(inst.op) || inst.op == Op::for_loop;
                         });
    return !is_line && !schedule::stores_that_may_meet(kernel).empty();
}

template <class F>
void for_each_launch(const BodyPlan& body, const F& f) {
    for (const Step& step : body.steps) {
        if (const auto* kernel = std::get_if<KernelStep>(&step.action)) f(*kernel);
        if (const auto* cond = std::get_if<CondStep>(&step.action))
            for_each_launch(*cond->then, f), for_each_launch(*cond->otherwise, f);
        if (const auto* loop = std::get_if<LoopStep>(&step.action)) {
            if (loop->condition) for_each_launch(*loop->condition, f);
            for_each_launch(*loop->body, f);
        }
    }
}

/// Whether each kernel that has an order of its own is one of the other plan.
bool keeps_bits(const Plan& plan, const Plan& of) {
    std::unordered_set<std::uint64_t> known;
    for_each_launch(of.body, [&](const KernelStep& step) { known.insert(step.kernel->digest); });
    bool keeps = true;
    for_each_launch(plan.body, [&](const KernelStep& step) {
        keeps = keeps && (known.contains(step.kernel->digest) || !has_own_order(step.kernel->kernel));
    });
    return keeps;
}

/// Calls f(BeforeRun, SharedOf) for the launches of a plan, of which none is made.
template <class F>
auto with_launches(const Plan& plan, const Call& call, int ranks, Backend& host, F f) {
    const std::vector<std::int64_t> sizes = estimate_sizes(plan.program, call);
    const SharedOf shared_of = [&](const KernelStep& step, const std::int64_t* of) {
        return host.describe_shared(step.kernel->kernel, of, call.threads);
    };
    return f(BeforeRun(plan, call, sizes, ranks), shared_of);
}

class JointFinder {
  public:
    JointFinder(const Plan& plan, const Call& call, int ranks, const Placement& placement, Backend& host)
        : plan_(plan), call_(call), ranks_(ranks), placement_(placement), host_(host) {}

    JointChoice find(const std::vector<Storable>& storable) {
        std::vector<Price> prices;
        for (const Storable& each : storable) prices.push_back(each.price);
        place::CheapestSets sets(prices);
        best_.search.fused = least_ = placement_.price();
        least_work_ = placement_.bound();
        while (const auto set = sets.next()) {
            const Price bound = least_work_ + set->price;
            if (bound >= least_) break;
            if (best_.search.tried == place::tuning::most_plans) {
                best_.search.bound = bound;
                break;
            }
            std::set<StoredVariable> stored;
            for (std::size_t member : set->members) stored.insert(storable[member].variable);
            const bool has_refused =
                std::any_of(stored.begin(), stored.end(), [&](const auto& each) { return refused_.contains(each); });
            if (!has_refused) attempt(std::move(stored));
        }
        name();
        return std::move(best_);
    }

  private:
    void attempt(std::set<StoredVariable> stored) {
        ++best_.search.tried;
        auto plan = plan_.replan(with_stored(plan_.program, stored), fuse::Strategy::optimal, false, call_);
        if (!keeps_bits(*plan, plan_)) {
            if (stored.size() == 1) refused_.insert(*stored.begin());
            return;
        }
        const auto choose = [](const BeforeRun& known, const SharedOf& of) { return choose_placement(known, of); };
        const Placement placement = with_launches(*plan, call_, ranks_, host_, choose);
        const Price price = placement.price();
        least_work_ = std::min(least_work_, placement.bound());
        best_.search.others.push_back(price);
        if (price >= least_) return;
        least_ = price;
        best_.stored = std::move(stored);
        best_.plan = std::move(plan);
    }

    /// Says for people what is stored.
    void name() {
        if (best_.stored.empty()) return;
        const auto numbers = numbers_of(plan_.program);
        for (const ExplainedBody& body : walk(plan_, call_.sites))
            for (const StoredVariable& variable : best_.stored) {
                if (numbers.at(body.body) != variable.body) continue;
                const fuse::Operation made_by = *body.producer(ir::ValueId(variable.level));
                const std::string where = body.place(made_by);
                best_.search.stored.push_back(ir::name_of(body.op(made_by)) + (where.empty() ? "" : " at " + where));
            }
    }

    const Plan& plan_;
    const Call& call_;
    const int ranks_;
    const Placement& placement_;
    Backend& host_;
    JointChoice best_;
    Price least_ = 0;                   ///< of the best
    Price least_work_ = 0;              ///< of all plans so far, divided evenly
    std::set<StoredVariable> refused_;  ///< each of which changes a kernel that has an order of its own
};

/// By variable of a body that is inside of kernels only: the most that could be saved if it were stored.
void add_gains(const ExplainedBody& body, std::size_t number, const Placement& placement,
               std::map<StoredVariable, Price>& result) {
    const std::vector<ir::Binding>& bindings = body.body->bindings;
    std::vector<Price> gains(bindings.size());
    Price most = 0;
    for (std::size_t k = 0; k < body.plan->steps.size(); ++k) {
        const auto* step = std::get_if<KernelStep>(&body.plan->steps[k].action);
        if (!step || has_own_order(step->kernel->kernel)) continue;
        most = std::max(most, placement.may_gain(*step));
        for (const fuse::Operation op : body.plan->partition.clusters[k].operations)
            gains[op.index] = placement.may_gain(*step);
    }
    for (std::size_t op = 0; op < bindings.size(); ++op) {
        const Price gain = body.transparent[op] ? most : gains[op];  // what is transparent may be in any of them
        for (std::size_t r = 0; gain > 0 && r < bindings[op].types.size(); ++r) {
            const ir::ValueId id(body.first[op].index + r);
            const std::vector<ir::ValueId>& manifest = body.plan->partition.manifest;
            if (bindings[op].types[r].rank() > 0 && !std::binary_search(manifest.begin(), manifest.end(), id))
                result.emplace(StoredVariable{number, id.index}, gain);
        }
    }
}

}  // namespace

std::vector<Storable> storable(const Plan& plan, const Call& call, int ranks, const Placement& placement, Backend& host) {
    // What is too little to share a launch for is too little to plan anew for, too.
    if (!plan.replan || static_cast<double>(placement.price() - placement.bound()) <= least_shared().work) return {};
    std::map<StoredVariable, Price> gains;
    const auto numbers = numbers_of(plan.program);
    for (const ExplainedBody& body : walk(plan, {})) add_gains(body, numbers.at(body.body), placement, gains);
    if (gains.empty()) return {};
    // What each operation reads is known of a plan in which each is a launch.
    AllStored all = with_all_stored(plan.program);
    const auto apart = plan.replan(std::move(all.program), fuse::Strategy::none, false, call);
    const auto numbers_apart = numbers_of(apart->program);
    std::map<const BodyPlan*, std::size_t> number_of;
    for (const ExplainedBody& body : walk(*apart, {})) number_of.emplace(body.plan, numbers_apart.at(body.body));
    std::vector<Storable> result;
    const auto find = [](const BeforeRun& known, const SharedOf& of) { return travelling(known, of); };
    for (const Travelling& array : with_launches(*apart, call, ranks, host, find)) {
        const auto before = all.before.find({number_of.at(array.body), array.id.index});
        const auto gain = before == all.before.end() ? gains.end() : gains.find(before->second);
        if (gain == gains.end()) continue;
        const bool travels = array.price > 0 && array.price + array.launch < gain->second,
                   is_made_of_what_travels = array.received > 0 && array.received + array.launch < gain->second;
        if ((travels || is_made_of_what_travels) && placement.bound() + array.price + array.launch < placement.price())
            result.push_back({before->second, array.price + array.launch});
    }
    return result;
}

JointChoice choose_stored(const Plan& plan, const Call& call, int ranks, const Placement& placement,
                          const std::vector<Storable>& storable, Backend& host) {
    return JointFinder(plan, call, ranks, placement, host).find(storable);
}

}  // namespace sinter::runtime
