// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counted loops whose iterations are launches that can be done in parts, as those of stencils are: several iterations at a
// time, tile by tile (schedule/steps/time_steps.hpp). Threads take tiles; in a tile, launches follow each other as in the
// loop. The states of one round are in other memory than those of the round before.
#include "run/execute/loops.hpp"
#include "run/execute/tiled/launches_of_body.hpp"
#include "run/explain/launch_log.hpp"
#include "run/messages.hpp"
#include "support/text/dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

namespace sinter::runtime {

namespace {

using schedule::Iteration;

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
        std::size_t next = step_.to.index;
        for (std::int64_t extent : body_.extents()) context_.set_number(frame_.own(ValueId(next++)), extent);
        for (Slot& state : states_) frame_.own(ValueId(next++)) = std::move(state);
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
    if (!context.backend().immediate() || frame.ahead || !step.count) return false;
    const std::int64_t count = context.number(frame.find(*step.count).data);
    if (count < 2 || (!wanted_rows() && !schedule::may_be_stepped(bytes_of_memory(step.inits, frame), count, near_caches())))
        return false;
    return TiledLoop(context, step, count, frame).run();
}

}  // namespace sinter::runtime
