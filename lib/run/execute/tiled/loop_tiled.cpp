// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counted loops whose iterations are launches that can be done in parts, as those of stencils are: several iterations at a
// time, tile by tile (schedule/steps/time_steps.hpp). Threads take tiles; in a tile, launches follow each other as in the
// loop. The states of one round are in other memory than those of the round before.
#include "run/execute/loops.hpp"
#include "run/execute/tiled/known_tiles.hpp"
#include "run/explain/launch_log.hpp"
#include "run/messages.hpp"
#include "run/ranks/job/job.hpp"
#include "support/text/dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <new>

namespace sinter::runtime {

namespace {

using schedule::Iteration;
using schedule::StepLaunch;

/// A body as an iteration of launches, with the extents of a call.
class LaunchesOfBody {
  public:
    LaunchesOfBody(const Context& context, const LoopStep& step, const Frame& outer)
        : context_(context), step_(step), body_(*step.body), outer_(outer), values_(body_.types.size() - body_.base) {}

    /// False where an iteration does something else.
    bool find() {
        if (!body_.final_guards.empty()) return false;
        for (std::size_t k = 0; k < step_.inits.size(); ++k) {
            const Type& type = body_.types[body_.base + 1 + k];
            if (!add_value(type)) return false;
            values_[1 + k] = k;
        }
        iteration_.states = step_.inits.size();
        for (const Step& step : body_.steps) {
            if (!step.guards.empty()) return false;
            if (const auto* alias = std::get_if<AliasStep>(&step.action))
                name(*alias);
            else if (const auto* kernel = std::get_if<KernelStep>(&step.action); !kernel || !add(*kernel))
                return false;
        }
        for (ValueId id : body_.results) {
            const auto value = value_of(id);
            if (!value) return false;
            iteration_.results.push_back(*value);
        }
        return has_equal_states();
    }

    KnownTiles::Key key(std::int64_t count) const {
        KnownTiles::Key key{count, context_.call.threads, has_ranks() ? 1 : 0};
        for (const Iteration::Value& value : iteration_.values) key.push_back(value.elements);
        for (const Found& found : launches_) key.insert(key.end(), found.sizes.begin(), found.sizes.end());
        return key;
    }

    /// Describes what is launched in parts; this takes longer. False where a launch cannot be.
    bool describe(TiledLaunches& body) const {
        body.iteration = iteration_;
        return std::all_of(launches_.begin(), launches_.end(), [&](const Found& found) { return describe(found, body); });
    }

    const Outside& outside() const { return outside_; }

  private:
    struct Found {
        const KernelStep* step;
        std::vector<std::int64_t> sizes;  ///< the kernel's size table
        std::vector<std::optional<std::size_t>> reads;
        std::vector<std::size_t> writes;
    };

    std::optional<std::size_t> value_of(ValueId id) const {
        return id.index < body_.base ? std::nullopt : values_[id.index - body_.base];
    }

    bool add_value(const Type& type) {
        std::int64_t elements = 1;
        for (SizeId size : type.shape) {
            if (context_.is_dynamic(size)) return false;
            elements = ir::sizes::mul(elements, context_.static_size(size));
        }
        iteration_.values.push_back({elements, detail::size_of(type.scalar)});
        return elements > 0 && !ir::is_huge(elements);
    }

    void name(const AliasStep& alias) {
        for (std::size_t k = 0; k < alias.from.size(); ++k)
            values_[alias.to.index + k - body_.base] = value_of(alias.from[k]), from_[alias.to.index + k] = alias.from[k];
    }

    /// True if an extent of the kernel, or of what is made inside of it, depends on what the loop computes.
    bool is_dynamic(const KernelStep& step) const {
        auto any = [&](const auto& sizes) {
            return std::any_of(sizes.begin(), sizes.end(), [&](SizeId id) { return context_.is_dynamic(id); });
        };
        return any(step.sizes) ||
               std::any_of(step.made.begin(), step.made.end(), [&](const auto& made) { return any(made.shape); });
    }

    bool add(const KernelStep& step) {
        if (!in_parts(step) || is_dynamic(step) || find_bad_shape(context_, step, outer_)) return false;
        std::vector<std::int64_t> arguments;
        for (SizeId id : step.sizes) arguments.push_back(context_.static_size(id));
        auto sizes = sizes_of_launch(step, arguments);
        if (!sizes) return false;
        Found found{&step, std::move(*sizes), {}, {}};
        std::vector<const void*>& of_inputs = outside_.emplace_back();
        for (ValueId id : step.inputs) {
            found.reads.push_back(value_of(id));
            of_inputs.push_back(found.reads.back() ? nullptr : place_of(id));
        }
        for (std::size_t k = 0; k < step.outputs.size(); ++k) {
            const ValueId id = step.outputs[k];
            const lower::Buffer& buffer = step.kernel->kernel.buffers[step.inputs.size() + k];
            found.writes.push_back(iteration_.values.size());
            values_[id.index - body_.base] = iteration_.values.size();
            if (!add_value(body_.types[id.index])) return false;
            if (iteration_.values.back().elements != found.sizes[buffer.elements.index]) return false;
        }
        launches_.push_back(std::move(found));
        return true;
    }

    static const LaunchedInParts* in_parts(const KernelStep& step) {
        return dynamic_cast<const LaunchedInParts*>(step.kernel->code.get());
    }

    bool describe(const Found& found, TiledLaunches& body) const {
        const lower::Kernel& kernel = found.step->kernel->kernel;
        const std::int64_t* const sizes = found.sizes.data();
        StepLaunch launch{schedule::part_facts(kernel, sizes, schedule::Overwriting::apart), {}, {}, {}, 0};
        if (!launch.facts.possible) return false;
        TiledLaunches::Launched made{found.step, in_parts(*found.step)->bind_parts(sizes, context_.call.threads)};
        if (!made.kernel) return false;
        launch.work = made.kernel->work();
        launch.reads = found.reads, launch.writes = found.writes;
        for (std::size_t k = 0; k < found.reads.size(); ++k) {
            const lower::Buffer& buffer = kernel.buffers[k];
            const bool is_read = launch.facts.reach[k].kind != schedule::Reach::Kind::nothing;
            const std::int64_t bytes = sizes[buffer.elements.index] * detail::size_of(buffer.scalar);
            launch.bytes_read.push_back(is_read ? static_cast<double>(bytes) : 0);
        }
        for (std::size_t k = found.reads.size(); k < kernel.buffers.size(); ++k) {
            launch.copies.push_back(kernel.buffers[k].dest);
            launch.takes.push_back(kernel.buffers[k].takes);
        }
        body.iteration.launches.push_back(std::move(launch));
        body.launches.push_back(std::move(made));
        return true;
    }

    /// Null for the number of the iteration, which is the body's first parameter.
    const void* place_of(ValueId id) const {
        for (auto from = from_.find(id.index); from != from_.end(); from = from_.find(id.index)) id = from->second;
        return id.index == body_.base ? nullptr : outer_.find(id).data;
    }

    /// Iterations may leave to each other what has as many elements only.
    bool has_equal_states() const {
        for (std::size_t k = 0; k < iteration_.states; ++k) {
            const Iteration::Value &before = iteration_.values[k], &after = iteration_.values[iteration_.results[k]];
            if (before.elements != after.elements || before.bytes_each != after.bytes_each) return false;
        }
        return true;
    }

    const Context& context_;
    const LoopStep& step_;
    const BodyPlan& body_;
    const Frame& outer_;
    std::vector<std::optional<std::size_t>> values_;  ///< by variable of the body
    Iteration iteration_;                             ///< without its launches
    std::vector<Found> launches_;
    Outside outside_;
    std::map<std::size_t, ValueId> from_;  ///< by variable that is another name: of which one
};

class TiledLoop {
  public:
    TiledLoop(const Context& context, const LoopStep& step, std::int64_t count, Frame& frame)
        : context_(context), step_(step), count_(count), frame_(frame), body_(context, step, frame) {}

    /// False where an iteration does something else, or tiles do not pay; and where a check failed, or memory is short: then
    /// it is as if nothing had been done.
    bool run() try {
        if (!body_.find()) return false;
        find_plan();
        if (plan_->choice.plain_price > 0 && (watched() || dumps("schedule"))) why_ = schedule::print(plan_->choice);
        if (!why_.empty() && dumps("schedule")) dump("schedule", "loop\n" + why_ + "\n");
        return plan_->choice.steps > 1 && run_rounds();
    } catch (const std::bad_alloc&) {
        return false;
    }

  private:
    void find_plan() {
        KnownTiles::Key key = body_.key(count_);
        plan_ = step_.tiles->find(key);
        if (!plan_) step_.tiles->keep(std::move(key), plan_ = make_plan());
    }

    std::shared_ptr<const TiledPlan> make_plan() const {
        auto plan = std::make_shared<TiledPlan>();
        if (!body_.describe(plan->body)) return std::make_shared<TiledPlan>();
        plan->choice =
            schedule::choose_steps(plan->body.iteration, count_, context_.call.threads, near_caches(), wanted_rows());
        if (plan->choice.steps < 2) return plan;
        for (std::int64_t r : {std::int64_t{0}, rounds_of(*plan) - 1})
            if (const std::size_t steps = steps_of(*plan, r); plan->rounds.empty() || plan->rounds[0]->steps() != steps)
                plan->rounds.push_back(std::make_unique<const TiledRound>(plan->body, steps, plan->choice.rows));
        return plan;
    }

    std::int64_t rounds_of(const TiledPlan& plan) const {
        const auto most = static_cast<std::int64_t>(plan.choice.steps);
        return (count_ + most - 1) / most;
    }
    /// Of a round: those of the first ones may be one more.
    std::size_t steps_of(const TiledPlan& plan, std::int64_t round) const {
        const std::int64_t rounds = rounds_of(plan);
        return static_cast<std::size_t>(count_ / rounds + (round < count_ % rounds ? 1 : 0));
    }

    bool run_rounds() {
        for (ValueId id : step_.inits) states_.push_back(frame_.find(id));
        RunControl::Loop control(context_.call.control, count_);
        const std::int64_t rounds = rounds_of(*plan_);
        for (std::int64_t r = 0, done = 0; r < rounds; ++r) {
            const std::size_t steps = steps_of(*plan_, r);
            if (control.stops()) throw_loop_stopped(context_, step_, control, done);
            if (!run_round(plan_->round_of(steps), done)) return false;
            if (context_.call.control && context_.call.control->stopped())
                throw_loop_stopped(context_, step_, control, done);
            control.done(done += static_cast<std::int64_t>(steps));
        }
        for (std::size_t k = 0; k < states_.size(); ++k) frame_.own(ValueId(step_.to.index + k)) = std::move(states_[k]);
        return true;
    }

    bool run_round(const TiledRound& round, std::int64_t first) {
        std::vector<Slot> made(states_.size());
        std::vector<void*> from, to;
        for (std::size_t k = 0; k < states_.size(); ++k) {
            const Iteration::Value& value = plan_->body.iteration.values[k];
            if (!round.is_constant(k)) {
                made[k].owner = context_.backend().allocate(static_cast<std::size_t>(value.elements * value.bytes_each));
                made[k].data = made[k].owner->data;
            }
            from.push_back(states_[k].data), to.push_back(made[k].data);
        }
        ErrorSlot error;
        const Clock::time_point begin = Clock::now();
        round.run(from, to, body_.outside(), first, context_, error);
        report_steps(plan_->body.launches.front().step->kernel->kernel.name, begin, round.steps(),
                     plan_->choice.bytes * static_cast<double>(round.steps()), context_.backend(), why_);
        if (error.check.load(std::memory_order_acquire) != 0) return false;
        for (std::size_t k = 0; k < states_.size(); ++k)
            if (!round.is_constant(k)) states_[k] = std::move(made[k]);
        return true;
    }

    const Context& context_;
    const LoopStep& step_;
    const std::int64_t count_;
    Frame& frame_;
    LaunchesOfBody body_;
    std::shared_ptr<const TiledPlan> plan_;
    std::string why_;
    std::vector<Slot> states_;
};

}  // namespace

bool run_loop_tiled(const Execution& execution, const LoopStep& step, Frame& frame) {
    const Context& context = execution.context();
    if (!context.backend().immediate() || frame.ahead || !step.count || !step.first.empty()) return false;
    const std::int64_t count = context.number(frame.find(*step.count).data);
    if (count < 2 || (!wanted_rows() && !schedule::may_be_stepped(bytes_of_memory(step.inits, frame), count, near_caches())))
        return false;
    return TiledLoop(context, step, count, frame).run();
}

}  // namespace sinter::runtime
