// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A counted loop that keeps its states on tapes, and the loop behind it that takes them from there, as reverse mode makes
// them: if launches of both can be done in parts, as those of stencils are, a tile of space goes through all iterations of
// the first loop and then of the second. So tapes are as long as a tile and stay in a near cache, and memory is read and
// written once.
//
// Both loops together are one iteration (schedule/steps/time_steps.hpp), whose launches are those of all iterations. A tape
// is an array with one slice for each iteration, to which it adds one; here each slice is a value of its own. What is rank 0
// in iterations and does not depend on states, such as the number of the slice, is computed before.
#include "run/execute/host_steps.hpp"
#include "run/execute/loops.hpp"
#include "run/execute/tiles.hpp"
#include "run/explain/launch_log.hpp"
#include "run/plan/uses.hpp"
#include "schedule/steps/repeats.hpp"
#include "schedule/tuning.hpp"
#include "support/text/dump.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <new>

namespace sinter::runtime {

namespace {

using schedule::Interval;
using schedule::StepLaunch;

using Name = std::optional<std::size_t>;

/// The states of a loop that are tapes: what an iteration leaves of them differs in one slice, and it does not read them.
std::vector<bool> find_tapes(const BodyPlan& body, std::size_t states) {
    std::vector<ValueId> uses = body.results;
    for (const Step& step : body.steps) add_uses(step, uses);
    std::vector<bool> tapes(states);
    for (const Step& step : body.steps) {
        const auto* kernel = std::get_if<KernelStep>(&step.action);
        for (std::size_t o = 0; kernel && o < kernel->outputs.size(); ++o) {
            const auto dest = kernel->kernel->kernel.buffers[kernel->inputs.size() + o].dest;
            if (!dest) continue;
            for (std::size_t k = 0; k < states; ++k) {
                const ValueId param(body.base + 1 + k);
                const bool updates = kernel->inputs[*dest] == param && body.results[k] == kernel->outputs[o];
                if (updates && std::count(uses.begin(), uses.end(), param) == 1) tapes[k] = true;
            }
        }
    }
    return tapes;
}

/// Both loops as one iteration of launches in parts. States are those of the second loop, then those of the first that are
/// no tapes, which stay.
class SweptLoops : public TiledLaunches {
  public:
    SweptLoops(const Execution& execution, const LoopStep& there, const LoopStep& back, std::int64_t count, Frame& frame)
        : execution_(execution), context_(execution.context()), there_(there), back_(back), count_(count), frame_(frame) {}

    /// False where an iteration does something else.
    bool find() {
        tapes_ = find_tapes(*there_.body, there_.inits.size());
        if (std::find(tapes_.begin(), tapes_.end(), true) == tapes_.end()) return false;
        std::vector<Name> of_back, of_there;
        if (!add_states(back_, {}, of_back) || !add_states(there_, tapes_, of_there)) return false;
        iteration.states = iteration.values.size();
        for (std::int64_t i = 0; i < count_; ++i)
            if (!iterate(there_, i, of_there)) return false;
        for (std::int64_t i = 0; i < count_; ++i)
            if (!iterate(back_, i, of_back)) return false;
        for (const Name& result : of_back) iteration.results.push_back(*result);
        for (std::size_t k = back_.inits.size(); k < iteration.states; ++k) iteration.results.push_back(k);
        for (std::size_t k = 0; k < back_.inits.size(); ++k)
            if (!are_equal(iteration.values[k], iteration.values[iteration.results[k]])) return false;
        return true;
    }

    /// Where the states are, by state.
    std::vector<void*> states() const {
        std::vector<void*> places;
        for (ValueId id : back_.inits) places.push_back(frame_.find(id).data);
        for (std::size_t k = 0; k < there_.inits.size(); ++k)
            if (!tapes_[k]) places.push_back(frame_.find(there_.inits[k]).data);
        return places;
    }

  private:
    /// An iteration of one of the loops: what its variables are.
    struct Scope {
        const LoopStep& loop;
        Frame& frame;  ///< of numbers, and of variables from outside under other names
        std::vector<Name> values;
        std::map<std::size_t, std::size_t> tapes{};  ///< by variable

        const BodyPlan& body() const { return *loop.body; }
        Name value_of(ValueId id) const { return id.index < body().base ? std::nullopt : values[id.index - body().base]; }
        Name tape_of(ValueId id) const {
            const auto found = tapes.find(id.index);
            return found == tapes.end() ? std::nullopt : Name(found->second);
        }
    };

    static bool are_equal(const schedule::Iteration::Value& a, const schedule::Iteration::Value& b) {
        return a.elements == b.elements && a.bytes_each == b.bytes_each;
    }

    bool add_states(const LoopStep& loop, const std::vector<bool>& left_out, std::vector<Name>& names) {
        for (std::size_t k = 0; k < loop.inits.size(); ++k) {
            names.emplace_back();
            if (k < left_out.size() && left_out[k]) continue;
            const Type& type = loop.body->types[loop.body->base + 1 + k];
            std::int64_t elements = 1;
            for (SizeId size : type.shape) elements = ir::sizes::mul(elements, context_.size(size, frame_));
            if (elements <= 0 || ir::is_huge(elements) || !frame_.find(loop.inits[k]).data) return false;
            names.back() = iteration.values.size();
            iteration.values.push_back({elements, detail::size_of(type.scalar)});
        }
        return true;
    }

    /// `states`: what they are before the iteration, and then behind it.
    bool iterate(const LoopStep& loop, std::int64_t number, std::vector<Name>& states) {
        const BodyPlan& body = *loop.body;
        Frame& frame = frames_.emplace_back(&frame_, body);
        frame.slots[0] = {&numbers_.emplace_back(number), nullptr};
        Scope scope{loop, frame, std::vector<Name>(body.types.size() - body.base)};
        std::copy(states.begin(), states.end(), scope.values.begin() + 1);
        const bool is_there = &loop == &there_;
        for (std::size_t k = 0; k < there_.inits.size(); ++k)
            if (tapes_[k]) scope.tapes.emplace((is_there ? body.base + 1 : there_.to.index) + k, k);
        for (const Step& step : body.steps)
            if (!step.guards.empty() || !add(step, scope)) return false;
        if (!body.final_guards.empty()) return false;
        for (std::size_t k = 0; k < states.size(); ++k) {
            if (is_there && tapes_[k]) continue;
            states[k] = scope.value_of(body.results[k]);
            if (!states[k]) return false;
        }
        return true;
    }

    bool add(const Step& step, Scope& scope) {
        if (const auto* alias = std::get_if<AliasStep>(&step.action)) return name(*alias, scope);
        const auto* kernel = std::get_if<KernelStep>(&step.action);
        if (!kernel) return false;
        if (!is_of_numbers(*kernel, scope)) return add_launch(*kernel, scope);
        execution_.run_step(step, scope.body(), scope.frame);
        return true;
    }

    bool name(const AliasStep& alias, Scope& scope) const {
        for (std::size_t k = 0; k < alias.from.size(); ++k) {
            const ValueId from = alias.from[k], to(alias.to.index + k);
            scope.values[to.index - scope.body().base] = scope.value_of(from);
            if (const Name tape = scope.tape_of(from))
                scope.tapes.emplace(to.index, *tape);
            else if (!scope.value_of(from))
                scope.frame.own(to) = scope.frame.find(from);
        }
        return true;
    }

    /// Whether a kernel computes numbers that do not depend on states.
    bool is_of_numbers(const KernelStep& step, const Scope& scope) const {
        auto is_rank_0 = [&](ValueId id) { return scope.body().types[id.index].rank() == 0; };
        return std::all_of(step.outputs.begin(), step.outputs.end(), is_rank_0) &&
               std::all_of(step.inputs.begin(), step.inputs.end(),
                           [&](ValueId id) { return is_rank_0(id) && !scope.value_of(id) && !scope.tape_of(id); });
    }

    bool add_launch(const KernelStep& step, Scope& scope) {
        const lower::Kernel& kernel = step.kernel->kernel;
        if (find_bad_shape(context_, step, scope.frame)) return false;
        const auto sizes = sizes_of_launch(step, context_.extents(step.sizes, scope.frame));
        if (!sizes) return false;
        known_ = known_numbers(step, scope);
        StepLaunch launch{
            schedule::part_facts(kernel, sizes->data(), schedule::Overwriting::apart, schedule::Updating::refused, known_),
            {},
            {},
            {},
            0};
        const auto bound = launch.facts.possible ? bind(step, *sizes) : nullptr;
        if (!bound) return false;
        launch.work = bound->work();
        Launched made{&step, bound, {}, std::vector<std::int64_t>(kernel.buffers.size())};
        for (std::size_t k = 0; k < step.inputs.size(); ++k)
            if (!add_input(step, k, *sizes, scope, launch, made)) return false;
        for (std::size_t o = 0; o < step.outputs.size(); ++o)
            if (!add_output(step, o, *sizes, scope, launch, made)) return false;
        iteration.launches.push_back(std::move(launch));
        launches.push_back(std::move(made));
        return true;
    }

    schedule::KnownNumbers known_numbers(const KernelStep& step, const Scope& scope) const {
        schedule::KnownNumbers known(step.inputs.size());
        for (std::size_t k = 0; k < step.inputs.size(); ++k) {
            const ValueId id = step.inputs[k];
            const Type& type = scope.body().types[id.index];
            if (type.rank() > 0 || type.scalar != ir::Scalar::i64 || scope.value_of(id)) continue;
            if (const void* data = scope.frame.find(id).data) known[k] = context_.number(data);
        }
        return known;
    }

    /// The same for all launches of a step with the same sizes.
    std::shared_ptr<const PartKernel> bind(const KernelStep& step, const std::vector<std::int64_t>& sizes) {
        auto& bound = bound_[{&step, sizes}];
        const auto* in_parts = dynamic_cast<const LaunchedInParts*>(step.kernel->code.get());
        if (!bound && in_parts) bound = in_parts->bind_parts(sizes.data(), context_.call.threads);
        return bound;
    }

    bool add_input(const KernelStep& step, std::size_t k, const std::vector<std::int64_t>& sizes, const Scope& scope,
                   StepLaunch& launch, Launched& made) const {
        const lower::Buffer& buffer = step.kernel->kernel.buffers[k];
        const ValueId id = step.inputs[k];
        const bool is_read = launch.facts.reach[k].kind != schedule::Reach::Kind::nothing;
        Name value = scope.value_of(id);
        std::int64_t elements = sizes[buffer.elements.index];
        if (const Name tape = scope.tape_of(id); tape && is_read) {
            const auto slice = slice_of(launch.facts, k, elements);
            const auto found = slice ? slices_.find({*tape, *slice}) : slices_.end();
            if (found == slices_.end()) return false;
            value = found->second;
            move_to_slice(*slice, buffer, k, elements, launch, made);
        }
        launch.reads.push_back(value);
        launch.bytes_read.push_back(is_read ? static_cast<double>(elements * detail::size_of(buffer.scalar)) : 0);
        const void* const outside = value ? nullptr : scope.frame.find(id).data;
        made.outside.push_back(outside);
        return value || outside || !is_read;
    }

    bool add_output(const KernelStep& step, std::size_t o, const std::vector<std::int64_t>& sizes, Scope& scope,
                    StepLaunch& launch, Launched& made) {
        const std::size_t k = step.inputs.size() + o;
        const lower::Buffer& buffer = step.kernel->kernel.buffers[k];
        const std::int64_t elements = sizes[buffer.elements.index];
        const ValueId id = step.outputs[o];
        if (const Name tape = buffer.dest ? scope.tape_of(step.inputs[*buffer.dest]) : std::nullopt)
            return add_slice(step, k, *tape, sizes, launch, made);
        scope.values[id.index - scope.body().base] = iteration.values.size();
        add_value(elements, buffer, launch);
        launch.copies.push_back(buffer.dest);
        return elements > 0 && !ir::is_huge(elements);
    }

    void add_value(std::int64_t elements, const lower::Buffer& buffer, StepLaunch& launch) {
        launch.writes.push_back(iteration.values.size());
        iteration.values.push_back({elements, detail::size_of(buffer.scalar)});
    }

    /// Output k of a kernel, which is a slice of a tape. If it repeats a state, that is read instead, and nothing reads it.
    bool add_slice(const KernelStep& step, std::size_t k, std::size_t tape, const std::vector<std::int64_t>& sizes,
                   StepLaunch& launch, Launched& made) {
        const lower::Kernel& kernel = step.kernel->kernel;
        const lower::Buffer& buffer = kernel.buffers[k];
        std::int64_t elements = sizes[buffer.elements.index];
        const auto slice = slice_of(launch.facts, k, elements);
        if (!slice) return false;
        move_to_slice(*slice, buffer, k, elements, launch, made);
        const schedule::Reach& reach = launch.facts.reach[k];
        const bool is_all = launch.facts.dense[k] && reach.low == 0 && reach.high + 1 == reach.slope &&
                            reach.slope * launch.facts.extent == elements;
        if (!is_all) return false;
        add_value(elements, buffer, launch);
        launch.copies.push_back(std::nullopt);
        const auto input = schedule::repeated_input(kernel, sizes.data(), known_, k, *slice * elements);
        const Name same = input ? launch.reads[*input] : std::nullopt;
        const bool repeats = same && iteration.values[*same].elements == elements && made.ahead[*input] == 0;
        const std::size_t value = repeats ? *same : launch.writes.back();
        return slices_.emplace(std::pair(tape, *slice), value).second;
    }

    /// The slice of a tape of so many elements that a launch touches, if it is one.
    std::optional<std::int64_t> slice_of(const schedule::PartFacts& facts, std::size_t buffer, std::int64_t elements) const {
        const Interval& within = facts.within[buffer];
        if (facts.reach[buffer].kind != schedule::Reach::Kind::near || within.empty() || elements % count_ != 0)
            return std::nullopt;
        const std::int64_t length = elements / count_, slice = within.begin / length;
        const bool is_one = within.begin >= 0 && within.end <= (slice + 1) * length;
        return is_one ? std::optional(slice) : std::nullopt;
    }

    /// `elements`: of the tape, and then of the slice.
    void move_to_slice(std::int64_t slice, const lower::Buffer& buffer, std::size_t k, std::int64_t& elements,
                       StepLaunch& launch, Launched& made) const {
        elements /= count_;
        launch.facts.reach[k].low -= slice * elements;
        launch.facts.reach[k].high -= slice * elements;
        launch.facts.reach[k].bands = {};
        made.ahead[k] = slice * elements * detail::size_of(buffer.scalar);
    }

    const Execution& execution_;
    const Context& context_;
    const LoopStep &there_, &back_;
    const std::int64_t count_;
    Frame& frame_;
    std::vector<bool> tapes_;                                             ///< by state of the first loop
    std::deque<Frame> frames_;                                            ///< of all iterations
    std::deque<std::int64_t> numbers_;                                    ///< the same
    std::map<std::pair<std::size_t, std::int64_t>, std::size_t> slices_;  ///< by tape and number: the value
    schedule::KnownNumbers known_;                                        ///< of the launch that is added
    std::map<std::pair<const KernelStep*, std::vector<std::int64_t>>, std::shared_ptr<const PartKernel>> bound_;
};

/// True if nothing but the second loop needs what the first one makes, and that does not begin with it.
bool is_only_for(const LoopStep& back, const BodyPlan& plan, const LoopStep& there, std::size_t position) {
    auto makes = [&](ValueId id) { return id.index >= there.to.index && id.index < there.to.index + there.inits.size(); };
    std::vector<ValueId> others = plan.results;
    others.insert(others.end(), back.inits.begin(), back.inits.end());
    for (std::size_t k = position + 2; k < plan.steps.size(); ++k) add_uses(plan.steps[k], others);
    return std::none_of(others.begin(), others.end(), makes);
}

bool run_swept(const Execution& execution, const LoopStep& there, const LoopStep& back, std::int64_t count, Frame& frame) {
    const Context& context = execution.context();
    SweptLoops loops(execution, there, back, count, frame);
    if (!loops.find()) return false;
    const auto choice = schedule::choose_rows(loops.iteration, context.call.threads, near_caches(), wanted_rows());
    std::string why;
    if (choice.plain_price > 0 && (watched() || dumps("schedule"))) why = schedule::print(choice);
    if (!why.empty() && dumps("schedule")) dump("schedule", "loops there and back\n" + why + "\n");
    if (choice.rows == 0) return false;
    const TiledRound round(loops, 1, choice.rows);
    std::vector<Slot> made(back.inits.size());
    std::vector<void*> to(loops.iteration.states);
    for (std::size_t k = 0; k < made.size(); ++k) {
        const schedule::Iteration::Value& value = loops.iteration.values[k];
        if (round.is_constant(k)) continue;
        made[k].owner = context.backend().allocate(static_cast<std::size_t>(value.elements * value.bytes_each));
        to[k] = made[k].data = made[k].owner->data;
    }
    ErrorSlot error;
    const Clock::time_point begin = Clock::now();
    round.run(loops.states(), to, 0, context, error);
    report_steps(loops.launches.back().step->kernel->kernel.name, begin, static_cast<std::size_t>(2 * count), choice.bytes,
                 context.backend(), why);
    if (error.check.load(std::memory_order_acquire) != 0) return false;
    if (context.call.control && context.call.control->stops()) return false;  // to stop where all loops do
    for (std::size_t k = 0; k < made.size(); ++k)
        frame.own(ValueId(back.to.index + k)) = round.is_constant(k) ? frame.find(back.inits[k]) : std::move(made[k]);
    return true;
}

}  // namespace

bool run_loops_swept(const Execution& execution, const BodyPlan& plan, std::size_t position, Frame& frame) {
    const Context& context = execution.context();
    if (position + 1 >= plan.steps.size() || !plan.steps[position + 1].guards.empty()) return false;
    const auto* there = std::get_if<LoopStep>(&plan.steps[position].action);
    const auto* back = std::get_if<LoopStep>(&plan.steps[position + 1].action);
    const bool are_counted = there && back && there->count && back->count && there->first.empty() && back->first.empty();
    if (!are_counted || !context.backend().immediate() || frame.ahead || context.call.sharing) return false;
    const std::int64_t count = context.number(frame.find(*there->count).data);
    if (count < 2 || count > schedule::tuning::most_swept_iterations) return false;
    if (context.number(frame.find(*back->count).data) != count) return false;
    const double nearest = static_cast<double>(near_caches().second) * context.call.threads;
    if (!wanted_rows() && bytes_of_memory(there->inits, frame) <= nearest) return false;
    if (!is_only_for(*back, plan, *there, position)) return false;
    try {
        return run_swept(execution, *there, *back, count, frame);
    } catch (const std::bad_alloc&) {
        return false;
    }
}

}  // namespace sinter::runtime
