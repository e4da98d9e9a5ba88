// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/loop_name.hpp"
#include "run/execute/cascade/run_cascade.hpp"
#include "run/execute/loops.hpp"
#include "run/plan/uses.hpp"
#include "run/ranks/arrays/spread_array.hpp"
#include "run/ranks/launch/share.hpp"

#include <algorithm>
#include <cstdint>

namespace sinter::runtime {

namespace {

/// A loop whose conditions and bodies are executed step by step.
class SteppedLoop {
  public:
    /// `dying`: variables of the frame that nothing uses behind the loop.
    SteppedLoop(const Execution& execution, const LoopStep& step, const std::vector<ValueId>& dying, Frame& frame)
        : execution_(execution), context_(execution.context()), step_(step), dying_(dying), frame_(frame) {}

    void run() {
        extents_ = context_.extents(step_.first, frame_);
        take_inits();
        const std::int64_t count = step_.count ? context_.number(frame_.find(*step_.count).data) : 0;
        RunControl::Loop control(context_.call.control, count);
        for (std::int64_t i = 0; !step_.count || i < count; ++i) {
            if (control.stops()) throw_loop_stopped(context_, step_, control, i);
            if (!step_.count && !holds()) break;
            iterate(i);
            control.done(i + 1);
        }
        std::size_t next = step_.to.index;
        for (std::int64_t extent : extents_) context_.set_number(frame_.own(ValueId(next++)), extent);
        for (Slot& slot : states_) frame_.own(ValueId(next++)) = std::move(slot);
    }

  private:
    /// An array that only the loop has is overwritten where it is.
    void take_inits() {
        std::vector<ValueId> uses = step_.inits;
        add_uses(*step_.body, uses);
        if (step_.condition) add_uses(*step_.condition, uses);
        for (ValueId id : step_.inits) {
            const bool dies = std::find(dying_.begin(), dying_.end(), id) != dying_.end();
            if (dies && std::count(uses.begin(), uses.end(), id) == 1)
                states_.push_back(std::move(frame_.own(id)));
            else
                states_.push_back(frame_.find(id));
        }
    }

    bool holds() {
        Frame inner(&frame_, *step_.condition);
        enter(inner, 0);
        execution_.run_steps(*step_.condition, inner);
        return context_.truth(step_.condition->results[0], inner);
    }

    void iterate(std::int64_t i) {
        Frame inner(&frame_, *step_.body);
        if (step_.count) inner.slots[0] = {&i, nullptr};
        enter(inner, step_.count ? 1 : 0);
        // The frame owns the old states now: they die at their last use, and the pool gives their memory to the new ones.
        std::fill(states_.begin(), states_.end(), Slot{});
        execution_.run_steps(*step_.body, inner);
        for (std::size_t k = 0; k < states_.size(); ++k) states_[k] = kept(inner.find(step_.body->results[k]), i);
        extents_ = context_.extents(step_.next, inner);
    }

    /// A state that outlives the iteration: the counter and the extents have other values in the next one.
    Slot kept(const Slot& state, const std::int64_t& counter) const {
        auto is_state = [&](const std::int64_t& number) { return state.data == &number; };
        const auto extent = std::find_if(extents_.begin(), extents_.end(), is_state);
        if (!is_state(counter) && extent == extents_.end()) return state;
        Slot own;
        context_.set_number(own, is_state(counter) ? counter : *extent);
        return own;
    }

    /// Passes the states as parameters from position `first` on. The extents stay here.
    void enter(Frame& frame, std::size_t first) {
        for (std::int64_t& extent : extents_) frame.slots[first++] = {&extent, nullptr};
        for (const Slot& slot : states_) frame.slots[first++] = slot;
    }

    const Execution& execution_;
    const Context& context_;
    const LoopStep& step_;
    const std::vector<ValueId>& dying_;
    Frame& frame_;
    std::vector<std::int64_t> extents_;  ///< extents of states that change
    std::vector<Slot> states_;           ///< between two iterations
};

}  // namespace

void throw_loop_stopped(const Context& context, const LoopStep& step, const RunControl::Loop& control,
                        std::int64_t iterations) {
    const std::string name = ir::loop_name(step.count.has_value(), step.site, context.call.sites);
    control.end(name, iterations, context.site_location(step.site));
}

namespace {

/// True if ranks share launches of the loop, or have parts of its arrays: then it is executed step by step.
bool steps_share(const Context& context, const LoopStep& step, const Frame& frame) {
    std::vector<ValueId> uses = step.inits;
    add_uses(*step.body, uses);
    if (step.condition) add_uses(*step.condition, uses);
    auto in_blocks = [&](ValueId id) { return spread(frame.find(id).owner) != nullptr; };
    return std::any_of(uses.begin(), uses.end(), in_blocks) || shares_launches(context, *step.body) ||
           (step.condition && shares_launches(context, *step.condition));
}

}  // namespace

void run_loop(const Execution& execution, const LoopStep& step, const std::vector<ValueId>& dying, const BodyPlan& plan,
              Frame& frame) {
    if (execution.context().call.sharing && steps_share(execution.context(), step, frame))
        return SteppedLoop(execution, step, dying, frame).run();
    if (run_loop_kernel(execution, step, dying, plan, frame) || run_loop_ahead(execution, step, frame) ||
        run_loop_tiled(execution, step, frame))
        return;
    if (!always_has_cascades(execution.context(), *step.body) && run_loop_region(execution, step, dying, frame)) return;
    SteppedLoop(execution, step, dying, frame).run();
}

}  // namespace sinter::runtime
