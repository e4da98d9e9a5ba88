// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counted loops whose iterations are launches that can be done in parts, as those of stencils are: several iterations at a
// time, tile by tile (schedule/steps/time_steps.hpp). Threads take tiles; in a tile, launches follow each other as in the
// loop. The states of one round are in other memory than those of the round before.
#include "run/execute/loops.hpp"
#include "run/execute/tiled/tiles.hpp"
#include "run/explain/launch_log.hpp"
#include "run/messages.hpp"
#include "support/text/dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <new>

namespace sinter::runtime {

namespace {

using schedule::Iteration;
using schedule::StepLaunch;

/// A body as an iteration of launches in parts.
class TiledBody : public TiledLaunches {
  public:
    TiledBody(const Context& context, const LoopStep& step, const Frame& outer)
        : context_(context), step_(step), body_(*step.body), outer_(outer), values_(body_.types.size() - body_.base) {}

    /// False where an iteration does something else.
    bool find() {
        if (!body_.final_guards.empty()) return false;
        for (std::size_t k = 0; k < step_.inits.size(); ++k) {
            const Type& type = body_.types[body_.base + 1 + k];
            if (!add_value(type)) return false;
            values_[1 + k] = k;
        }
        iteration.states = step_.inits.size();
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
            iteration.results.push_back(*value);
        }
        return has_equal_states();
    }

    const Outside& outside() const { return outside_; }

  private:
    std::optional<std::size_t> value_of(ValueId id) const {
        return id.index < body_.base ? std::nullopt : values_[id.index - body_.base];
    }

    bool add_value(const Type& type) {
        std::int64_t elements = 1;
        for (SizeId size : type.shape) {
            if (context_.is_dynamic(size)) return false;
            elements = ir::sizes::mul(elements, context_.static_size(size));
        }
        iteration.values.push_back({elements, detail::size_of(type.scalar)});
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
        const lower::Kernel& kernel = step.kernel->kernel;
        const auto* in_parts = dynamic_cast<const LaunchedInParts*>(step.kernel->code.get());
        if (!in_parts || is_dynamic(step) || find_bad_shape(context_, step, outer_)) return false;
        std::vector<std::int64_t> arguments;
        for (SizeId id : step.sizes) arguments.push_back(context_.static_size(id));
        const auto sizes = sizes_of_launch(step, arguments);
        if (!sizes) return false;
        StepLaunch launch{schedule::part_facts(kernel, sizes->data(), schedule::Overwriting::apart), {}, {}, {}, 0};
        if (!launch.facts.possible) return false;
        Launched made{&step, in_parts->bind_parts(sizes->data(), context_.call.threads)};
        if (!made.kernel) return false;
        launch.work = made.kernel->work();
        std::vector<const void*>& of_inputs = outside_.emplace_back();
        for (std::size_t k = 0; k < step.inputs.size(); ++k) {
            const lower::Buffer& buffer = kernel.buffers[k];
            launch.reads.push_back(value_of(step.inputs[k]));
            const bool is_read = launch.facts.reach[k].kind != schedule::Reach::Kind::nothing;
            const std::int64_t bytes = (*sizes)[buffer.elements.index] * detail::size_of(buffer.scalar);
            launch.bytes_read.push_back(is_read ? static_cast<double>(bytes) : 0);
            of_inputs.push_back(launch.reads[k] ? nullptr : place_of(step.inputs[k]));
        }
        for (std::size_t k = 0; k < step.outputs.size(); ++k) {
            const ValueId id = step.outputs[k];
            launch.writes.push_back(iteration.values.size());
            launch.copies.push_back(kernel.buffers[step.inputs.size() + k].dest);
            launch.takes.push_back(kernel.buffers[step.inputs.size() + k].takes);
            values_[id.index - body_.base] = iteration.values.size();
            if (!add_value(body_.types[id.index])) return false;
            if (iteration.values.back().elements != (*sizes)[kernel.buffers[step.inputs.size() + k].elements.index])
                return false;
        }
        iteration.launches.push_back(std::move(launch));
        launches.push_back(std::move(made));
        return true;
    }

    /// Null for the number of the iteration, which is the body's first parameter.
    const void* place_of(ValueId id) const {
        for (auto from = from_.find(id.index); from != from_.end(); from = from_.find(id.index)) id = from->second;
        return id.index == body_.base ? nullptr : outer_.find(id).data;
    }

    /// Iterations may leave to each other what has as many elements only.
    bool has_equal_states() const {
        for (std::size_t k = 0; k < iteration.states; ++k) {
            const Iteration::Value &before = iteration.values[k], &after = iteration.values[iteration.results[k]];
            if (before.elements != after.elements || before.bytes_each != after.bytes_each) return false;
        }
        return true;
    }

    const Context& context_;
    const LoopStep& step_;
    const BodyPlan& body_;
    const Frame& outer_;
    std::vector<std::optional<std::size_t>> values_;  ///< by variable of the body
    Outside outside_;
    std::map<std::size_t, ValueId> from_;  ///< by variable that is another name: of which one
};

class TiledLoop {
  public:
    TiledLoop(const Context& context, const LoopStep& step, Frame& frame)
        : context_(context), step_(step), frame_(frame), body_(context, step, frame) {}

    bool choose(std::int64_t count) {
        if (!body_.find()) return false;
        choice_ = schedule::choose_steps(body_.iteration, count, context_.call.threads, near_caches(), wanted_rows());
        if (choice_.plain_price > 0 && (watched() || dumps("schedule"))) why_ = schedule::print(choice_);
        if (!why_.empty() && dumps("schedule")) dump("schedule", "loop\n" + why_ + "\n");
        return choice_.steps > 1;
    }

    /// False where a check failed, or memory is short: then it is as if nothing had been done.
    bool run(std::int64_t count) try {
        for (ValueId id : step_.inits) states_.push_back(frame_.find(id));
        RunControl::Loop control(context_.call.control, count);
        const std::int64_t rounds =
            (count + static_cast<std::int64_t>(choice_.steps) - 1) / static_cast<std::int64_t>(choice_.steps);
        std::optional<TiledRound> round;
        for (std::int64_t r = 0, done = 0; r < rounds; ++r) {
            const std::int64_t end = done + count / rounds + (r < count % rounds ? 1 : 0);
            const auto steps = static_cast<std::size_t>(end - done);
            if (control.stops()) throw_loop_stopped(context_, step_, control, done);
            if (!round || round->steps() != steps) round.emplace(body_, steps, choice_.rows);
            if (!run_round(*round, done)) return false;
            if (context_.call.control && context_.call.control->stopped())
                throw_loop_stopped(context_, step_, control, done);
            control.done(done = end);
        }
        for (std::size_t k = 0; k < states_.size(); ++k) frame_.own(ValueId(step_.to.index + k)) = std::move(states_[k]);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }

  private:
    bool run_round(const TiledRound& round, std::int64_t first) {
        std::vector<Slot> made(states_.size());
        std::vector<void*> from, to;
        for (std::size_t k = 0; k < states_.size(); ++k) {
            const Iteration::Value& value = body_.iteration.values[k];
            if (!round.is_constant(k)) {
                made[k].owner = context_.backend().allocate(static_cast<std::size_t>(value.elements * value.bytes_each));
                made[k].data = made[k].owner->data;
            }
            from.push_back(states_[k].data), to.push_back(made[k].data);
        }
        ErrorSlot error;
        const Clock::time_point begin = Clock::now();
        round.run(from, to, body_.outside(), first, context_, error);
        report_steps(body_.launches.front().step->kernel->kernel.name, begin, round.steps(),
                     choice_.bytes * static_cast<double>(round.steps()), context_.backend(), why_);
        if (error.check.load(std::memory_order_acquire) != 0) return false;
        for (std::size_t k = 0; k < states_.size(); ++k)
            if (!round.is_constant(k)) states_[k] = std::move(made[k]);
        return true;
    }

    const Context& context_;
    const LoopStep& step_;
    Frame& frame_;
    TiledBody body_;
    schedule::StepsChoice choice_;
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
    TiledLoop loop(context, step, frame);
    return loop.choose(count) && loop.run(count);
}

}  // namespace sinter::runtime
