// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// If launches of both loops can be done in parts, as those of stencils are, a tile of space goes through all iterations of
// the first loop and then of the second. So tapes are as long as a tile and stay in a near cache, and memory is read and
// written once. Both loops together are one iteration (schedule/steps/time_steps.hpp).
#include "run/execute/loops.hpp"
#include "ir/sizes/size_parts.hpp"
#include "run/execute/host_steps.hpp"
#include "run/execute/swept/sweep.hpp"
#include "run/explain/launch_log.hpp"
#include "run/plan/uses.hpp"
#include "run/ranks/job/job.hpp"
#include "schedule/tuning.hpp"
#include "support/text/dump.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace sinter::runtime {

namespace {

/// True if nothing but the second loop needs what the first one makes, and that does not begin with it.
bool is_only_for(const LoopStep& back, const BodyPlan& plan, const LoopStep& there, std::size_t position) {
    auto makes = [&](ValueId id) { return id.index >= there.to.index && id.index < there.to.index + there.inits.size(); };
    std::vector<ValueId> others = plan.results;
    others.insert(others.end(), back.inits.begin(), back.inits.end());
    for (std::size_t k = position + 2; k < plan.steps.size(); ++k) add_uses(plan.steps[k], others);
    return std::none_of(others.begin(), others.end(), makes);
}

class SweptLoops {
  public:
    SweptLoops(const Execution& execution, const LoopStep& there, const LoopStep& back, std::int64_t count, Frame& frame)
        : execution_(execution), context_(execution.context()), there_(there), back_(back), count_(count), frame_(frame) {}

    bool run() {
        const std::shared_ptr<const Sweep> sweep = find();
        if (!why_.empty() && dumps("schedule")) dump("schedule", "loops there and back\n" + why_ + "\n");
        return sweep->round && run(*sweep);
    }

  private:
    std::shared_ptr<const Sweep> find() {
        const bool lean = wanted_rows() || there_.sweeps->pay_kernels();
        KnownSweeps::Key key = key_of(lean);
        std::shared_ptr<const Sweep> sweep = there_.sweeps->find(key);
        if (!sweep) there_.sweeps->keep(std::move(key), sweep = make(lean));
        if (sweep->choice.plain_price > 0 && (watched() || dumps("schedule"))) why_ = schedule::print(sweep->choice);
        return sweep;
    }

    std::shared_ptr<const Sweep> make(bool lean) const {
        auto sweep = std::make_shared<Sweep>();
        if (!find_launches(execution_, there_, back_, count_, lean, frame_, *sweep)) return std::make_shared<Sweep>();
        sweep->choice = schedule::choose_rows(sweep->body.iteration, context_.call.threads, near_caches(), wanted_rows());
        if (sweep->choice.rows > 0) sweep->round.emplace(sweep->body, 1, sweep->choice.rows);
        return sweep;
    }

    /// All numbers and extents that the launches may depend on.
    KnownSweeps::Key key_of(bool lean) const {
        KnownSweeps::Key key{count_, context_.call.threads, lean ? 1 : 0, has_ranks() ? 1 : 0};
        for (const InputView& input : context_.call.inputs) key.insert(key.end(), input.shape.begin(), input.shape.end());
        key.insert(key.end(), context_.call.size_arguments.begin(), context_.call.size_arguments.end());
        for (const LoopStep* loop : {&there_, &back_}) {
            std::vector<ValueId> uses;
            add_uses(*loop->body, uses);
            for (ValueId id : uses) add_variable(id, loop->body->types[id.index], true, key);
            for (ValueId id : loop->inits) add_variable(id, loop->body->types[id.index], false, key);
            for (const Step& step : loop->body->steps)
                if (const auto* kernel = std::get_if<KernelStep>(&step.action)) add_sizes(*kernel, *loop->body, key);
        }
        return key;
    }

    bool is_made_there(ValueId id) const {
        return id.index >= there_.to.index && id.index < there_.to.index + there_.inits.size();
    }

    /// The shape, and if wanted the value of rank 0.
    void add_variable(ValueId id, const Type& type, bool with_value, KnownSweeps::Key& key) const {
        if (is_made_there(id)) return;
        for (SizeId size : type.shape) key.push_back(context_.size(size, frame_));
        const void* const data = frame_.find(id).data;
        if (type.rank() > 0 || !with_value || !data) return;
        key.push_back(0);
        std::memcpy(&key.back(), data, static_cast<std::size_t>(detail::size_of(type.scalar)));
    }

    /// Values from around the loops on which sizes of a step depend.
    void add_sizes(const KernelStep& step, const BodyPlan& body, KnownSweeps::Key& key) const {
        auto add = [&](SizeId size) {
            if (!context_.is_dynamic(size)) return;
            ir::for_each_value(context_.plan.program.sizes, size, [&](ValueId id) {
                if (id.index < body.base && !is_made_there(id)) key.push_back(context_.number(frame_.find(id).data));
            });
        };
        std::for_each(step.sizes.begin(), step.sizes.end(), add);
        for (const fuse::Made& made : step.made) std::for_each(made.shape.begin(), made.shape.end(), add);
    }

    /// Where the states are, by state.
    std::vector<void*> states() const {
        std::vector<void*> places;
        for (ValueId id : back_.inits) places.push_back(frame_.find(id).data);
        const std::vector<bool> tapes = find_tapes(*there_.body, there_.inits.size());
        for (std::size_t k = 0; k < there_.inits.size(); ++k)
            if (!tapes[k]) places.push_back(frame_.find(there_.inits[k]).data);
        return places;
    }

    bool run(const Sweep& sweep) {
        const TiledRound& round = *sweep.round;
        const schedule::Iteration& iteration = sweep.body.iteration;
        Outside outside = sweep.outside;
        for (const Sweep::Around& each : sweep.around) outside[each.launch][each.input] = frame_.find(each.variable).data;
        std::vector<Slot> made(back_.inits.size());
        std::vector<void*> to(iteration.states);
        for (std::size_t k = 0; k < made.size(); ++k) {
            const schedule::Iteration::Value& value = iteration.values[k];
            if (round.is_constant(k)) continue;
            made[k].owner = context_.backend().allocate(static_cast<std::size_t>(value.elements * value.bytes_each));
            to[k] = made[k].data = made[k].owner->data;
        }
        ErrorSlot error;
        const Clock::time_point begin = Clock::now();
        round.run(states(), to, outside, 0, context_, error);
        report_steps(sweep.body.launches.back().step->kernel->kernel.name, begin, static_cast<std::size_t>(2 * count_),
                     sweep.choice.bytes, context_.backend(), why_);
        if (error.check.load(std::memory_order_acquire) != 0) return false;
        if (context_.call.control && context_.call.control->stops()) return false;  // to stop where all loops do
        for (std::size_t k = 0; k < made.size(); ++k)
            frame_.own(ValueId(back_.to.index + k)) =
                round.is_constant(k) ? frame_.find(back_.inits[k]) : std::move(made[k]);
        return true;
    }

    const Execution& execution_;
    const Context& context_;
    const LoopStep &there_, &back_;
    const std::int64_t count_;
    Frame& frame_;
    std::string why_;
};

/// The two loops at a position of a plan, if there are any.
std::pair<const LoopStep*, const LoopStep*> loops_at(const BodyPlan& plan, std::size_t position) {
    if (position + 1 >= plan.steps.size() || !plan.steps[position + 1].guards.empty()) return {};
    const auto* there = std::get_if<LoopStep>(&plan.steps[position].action);
    const auto* back = std::get_if<LoopStep>(&plan.steps[position + 1].action);
    const bool are_counted = there && back && there->count && back->count && there->first.empty() && back->first.empty();
    return are_counted ? std::pair(there, back) : std::pair<const LoopStep*, const LoopStep*>();
}

bool can_sweep(const Context& context, const Frame& frame) {
    return context.backend().immediate() && !frame.ahead && !context.call.sharing;
}

/// Those of the states of a loop, with memory or without.
double bytes_of_states(const Context& context, const LoopStep& loop, const Frame& frame) {
    double bytes = bytes_of_memory(loop.inits, frame);
    for (ValueId id : loop.inits) {
        const Type& type = loop.body->types[id.index];
        if (!frame.find(id).data && type.rank() > 0) bytes += context.bytes_of(type, frame);
    }
    return bytes;
}

}  // namespace

bool may_sweep(const Context& context, const BodyPlan& plan, std::size_t position, const Frame& frame) {
    if (!can_sweep(context, frame)) return false;
    auto only_allocates = [](const Step& step) {
        const auto* kernel = std::get_if<KernelStep>(&step.action);
        return kernel && kernel->needs_only_memory && step.guards.empty();
    };
    while (position < plan.steps.size() && only_allocates(plan.steps[position])) ++position;
    return loops_at(plan, position).first != nullptr;
}

bool run_loops_swept(const Execution& execution, const BodyPlan& plan, std::size_t position, Frame& frame) {
    const Context& context = execution.context();
    const auto [there, back] = loops_at(plan, position);
    if (!there || !can_sweep(context, frame)) return false;
    const std::int64_t count = context.number(frame.find(*there->count).data);
    if (count < 2 || count > schedule::tuning::most_swept_iterations) return false;
    if (context.number(frame.find(*back->count).data) != count) return false;
    const double nearest = static_cast<double>(near_caches().second) * context.call.threads;
    if (!wanted_rows() && bytes_of_states(context, *there, frame) <= nearest) return false;
    if (!is_only_for(*back, plan, *there, position)) return false;
    try {
        return SweptLoops(execution, *there, *back, count, frame).run();
    } catch (const std::bad_alloc&) {
        return false;
    }
}

}  // namespace sinter::runtime
